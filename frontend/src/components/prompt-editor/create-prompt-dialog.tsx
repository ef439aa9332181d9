import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import type { Prompt } from "@/api/types";
import { DialogForm } from "@/components/dialog-form";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RadioGroup } from "@/components/ui/radio-group";
import { toast } from "@/components/ui/toast";
import { i18n } from "@/lib/i18n";
import { useChange } from "@/api/use-change";
import { SYNTAXES } from "@/lib/template";
import { SYNTAX_EXAMPLES } from "./syntax";

const LONGEST_NAME = 100;

const schema = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: () => i18n.t("prompts.create.nameNeeded") })
    .max(LONGEST_NAME, { error: () => i18n.t("prompts.create.nameLong", { max: LONGEST_NAME }) }),
  kind: z.enum(["generator", "grader"]),
  syntax: z.enum(SYNTAXES),
});
type Values = z.infer<typeof schema>;

export interface CreatePromptDialogProps {
  slug: string;
  open: boolean;
  onOpenChanged: (open: boolean) => void;
  onPromptCreated: (prompt: Prompt) => void;
}

const TWO_COLUMNS =
  "[&_[role=radiogroup]]:sm:grid-cols-2 [&_[role=radiogroup]>:last-child:nth-child(odd)]:sm:col-span-2";

function CreatePromptForm({ slug, onOpenChanged, onPromptCreated }: CreatePromptDialogProps) {
  const { t } = useTranslation();
  const create = useChange("post", "/projects/{project}/prompts", { project: slug });
  const { register, control, formState, message, submit } = useServerForm<Values>({
    schema,
    fields: ["name", "kind", "syntax"],
    defaultValues: { name: "", kind: "generator", syntax: "double" },
    onSubmitted: async (values) => {
      const prompt = await create.mutateAsync({ body: { ...values, text: "" } });
      toast.success(t("prompts.create.done", { name: prompt.name }));
      onPromptCreated(prompt);
    },
  });
  return (
    <DialogForm
      message={message}
      submitLabel={t("prompts.create.submit")}
      isSaving={create.isPending}
      onSubmitted={() => void submit()}
      onCancelled={() => onOpenChanged(false)}
    >
      <Field
        required
        label={t("fields.name")}
        hint={t("prompts.create.nameHint")}
        error={formState.errors.name?.message}
      >
        {(props) => (
          <Input
            {...props}
            autoComplete="off"
            placeholder={t("prompts.create.namePlaceholder")}
            {...register("name")}
          />
        )}
      </Field>
      <Controller
        control={control}
        name="kind"
        render={({ field }) => (
          <RadioGroup
            legend={t("prompts.create.kind")}
            value={field.value}
            onValueChanged={field.onChange}
            className={TWO_COLUMNS}
            options={(["generator", "grader"] as const).map((kind) => ({
              value: kind,
              label: t(`prompts.kinds.${kind}.name`),
              description: t(`prompts.kinds.${kind}.hint`),
            }))}
          />
        )}
      />
      <Controller
        control={control}
        name="syntax"
        render={({ field }) => (
          <RadioGroup
            legend={t("prompts.create.syntax")}
            value={field.value}
            onValueChanged={field.onChange}
            className={TWO_COLUMNS}
            options={SYNTAXES.map((syntax) => ({
              value: syntax,
              label: SYNTAX_EXAMPLES[syntax].label,
              description: t(`prompts.syntax.${syntax}`, SYNTAX_EXAMPLES[syntax]),
            }))}
          />
        )}
      />
    </DialogForm>
  );
}

export function CreatePromptDialog(props: CreatePromptDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={props.open}
      onOpenChanged={props.onOpenChanged}
      closeOnOutside={false}
      title={t("prompts.create.title")}
      description={t("prompts.create.description")}
    >
      <CreatePromptForm {...props} />
    </Dialog>
  );
}
