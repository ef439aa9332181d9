import { useTranslation } from "react-i18next";
import { useServerForm } from "@/api/server-form";
import type { Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { UnsavedGuard } from "@/components/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardFooter, CardHeader } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { can } from "@/lib/permissions";
import { projectSchema, type ProjectValues } from "@/lib/project-schema";
import { projectFamilies } from "./queries";

export interface GeneralFormProps {
  project: Project;
  onProjectRenamed: (project: Project) => void;
}

function toValues(project: Project): ProjectValues {
  return { name: project.name, description: project.description ?? "" };
}

export function GeneralForm({ project, onProjectRenamed }: GeneralFormProps) {
  const { t } = useTranslation();
  const update = useChange(
    "patch",
    "/projects/{project}",
    { project: project.slug },
    projectFamilies(project.slug),
  );
  const editable = can(project.role, "project.rename");
  const { register, reset, formState, message, submit } = useServerForm({
    schema: projectSchema,
    fields: ["name", "description"],
    mode: "onTouched",
    values: toValues(project),
    resetOptions: { keepDirtyValues: true },
    onSubmitted: async ({ name, description }, form) => {
      const saved = await update.mutateAsync({
        body: { name, description: description === "" ? null : description },
      });
      form.reset(toValues(saved));
      toast.success(t("settings.general.saved"));
      onProjectRenamed(saved);
    },
  });
  const { errors, isDirty } = formState;
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <UnsavedGuard dirty={isDirty} />
      <Card aria-labelledby="general-heading">
        <CardHeader
          id="general-heading"
          title={t("settings.general.title")}
          description={t("settings.general.description")}
        />
        <CardContent className="grid gap-5">
          <FormAlert message={message} />
          <Field label={t("fields.name")} required error={errors.name?.message}>
            {(props) => <Input {...props} readOnly={!editable} {...register("name")} />}
          </Field>
          <Field label={t("fields.description")} error={errors.description?.message}>
            {(props) => <Textarea {...props} readOnly={!editable} {...register("description")} />}
          </Field>
        </CardContent>
        {editable ? (
          <CardFooter>
            <Button
              variant="ghost"
              size="sm"
              disabled={!isDirty}
              onClick={() => reset(toValues(project))}
            >
              {t("ui.discard")}
            </Button>
            <Button type="submit" size="sm" disabled={!isDirty} loading={update.isPending}>
              {t("ui.save")}
            </Button>
          </CardFooter>
        ) : null}
      </Card>
    </form>
  );
}
