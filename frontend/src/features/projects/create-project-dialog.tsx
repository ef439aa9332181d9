import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { projectQuery } from "@/api/projects";
import { useServerForm } from "@/api/server-form";
import type { Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { projectSchema } from "@/lib/project-schema";

export interface CreateProjectDialogProps {
  open: boolean;
  onOpenChanged: (open: boolean) => void;
  onProjectCreated: (project: Project) => void;
}

function CreateProjectForm({ onOpenChanged, onProjectCreated }: CreateProjectDialogProps) {
  const { t } = useTranslation();
  const create = useChange(
    "post",
    "/projects",
    {},
    {
      refresh: [keys.projects],
      keep: (queryClient, project) =>
        queryClient.setQueryData(projectQuery(project.slug).queryKey, project),
    },
  );
  const { register, formState, message, submit } = useServerForm({
    schema: projectSchema,
    fields: ["name", "description"],
    mode: "onTouched",
    defaultValues: { name: "", description: "" },
    onSubmitted: async ({ name, description }) => {
      const project = await create.mutateAsync({
        body: { name, description: description === "" ? null : description },
      });
      toast.success(t("projects.created", { name: project.name }));
      onProjectCreated(project);
    },
  });
  const { errors } = formState;
  return (
    <DialogForm
      message={message}
      submitLabel={t("projects.create")}
      isSaving={create.isPending}
      onSubmitted={() => void submit()}
      onCancelled={() => onOpenChanged(false)}
    >
      <Field
        label={t("fields.name")}
        required
        hint={t("projects.nameHint")}
        error={errors.name?.message}
      >
        {(props) => (
          <Input
            {...props}
            autoComplete="off"
            placeholder={t("projects.namePlaceholder")}
            {...register("name")}
          />
        )}
      </Field>
      <Field label={t("fields.description")} error={errors.description?.message}>
        {(props) => (
          <Textarea
            {...props}
            placeholder={t("projects.descriptionPlaceholder")}
            {...register("description")}
          />
        )}
      </Field>
    </DialogForm>
  );
}

export function CreateProjectDialog(props: CreateProjectDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={props.open}
      onOpenChanged={props.onOpenChanged}
      closeOnOutside={false}
      title={t("projects.createTitle")}
      description={t("projects.createDescription")}
    >
      <CreateProjectForm {...props} />
    </Dialog>
  );
}
