import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import type { Dataset, DatasetSummary } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { i18n } from "@/lib/i18n";
import { DATASET } from "./queries";
import { parseTags } from "./values";
import { ORIGINS } from "./view";

const schema = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: () => i18n.t("datasets.validation.name") })
    .max(100, { error: () => i18n.t("datasets.validation.nameLong") }),
  kind: z.enum(ORIGINS),
  description: z
    .string()
    .trim()
    .max(1000, { error: () => i18n.t("validation.descriptionTooLong", { limit: 1000 }) }),
  tags: z.string(),
  holdout_percent: z
    .number({ error: () => i18n.t("datasets.validation.holdout") })
    .int({ error: () => i18n.t("datasets.validation.holdout") })
    .min(0, { error: () => i18n.t("datasets.validation.holdout") })
    .max(100, { error: () => i18n.t("datasets.validation.holdout") }),
});
type Values = z.infer<typeof schema>;

export interface DatasetDialogProps {
  slug: string;
  /** The dataset to edit; omitted for a new one. */
  dataset?: DatasetSummary;
  onSaved: (dataset: Dataset) => void;
  onClosed: () => void;
}

function useDatasetForm({ slug, dataset, onSaved }: DatasetDialogProps) {
  const { t } = useTranslation();
  const create = useChange("post", "/projects/{project}/datasets", { project: slug });
  const change = useChange("patch", DATASET, { project: slug });
  const form = useServerForm<Values>({
    schema,
    fields: ["name", "kind", "description", "tags", "holdout_percent"],
    mode: "onTouched",
    defaultValues: {
      name: dataset?.name ?? "",
      kind: dataset?.kind ?? "manual",
      description: dataset?.description ?? "",
      tags: dataset?.tags.join(", ") ?? "",
      holdout_percent: dataset?.holdout_percent ?? 20,
    },
    onSubmitted: async (values) => {
      const body = { ...values, tags: parseTags(values.tags) };
      const saved =
        dataset === undefined
          ? await create.mutateAsync({ body })
          : await change.mutateAsync({ dataset_id: dataset.id, body });
      toast.success(
        t(dataset === undefined ? "datasets.created" : "datasets.changed", { name: saved.name }),
      );
      onSaved(saved);
    },
  });
  return { ...form, isSaving: create.isPending || change.isPending };
}

function DatasetForm(props: DatasetDialogProps) {
  const { t } = useTranslation();
  const { register, control, formState, message, submit, isSaving } = useDatasetForm(props);
  const { errors } = formState;
  return (
    <DialogForm
      message={message}
      submitLabel={props.dataset === undefined ? t("datasets.create") : t("ui.save")}
      isSaving={isSaving}
      onSubmitted={() => void submit()}
      onCancelled={props.onClosed}
    >
      <Field required label={t("fields.name")} error={errors.name?.message}>
        {(field) => (
          <Input
            {...field}
            autoComplete="off"
            placeholder={t("datasets.namePlaceholder")}
            {...register("name")}
          />
        )}
      </Field>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field required label={t("datasets.kind")} hint={t("datasets.kindHint")}>
          {(field) => (
            <Controller
              control={control}
              name="kind"
              render={({ field: { value, onChange } }) => (
                <Select
                  {...field}
                  value={value}
                  options={ORIGINS.map((each) => ({
                    value: each,
                    label: t(`datasets.origins.${each}`),
                  }))}
                  onValueChanged={onChange}
                />
              )}
            />
          )}
        </Field>
        <Field
          required
          label={t("datasets.holdout")}
          hint={t("datasets.holdoutHint")}
          error={errors.holdout_percent?.message}
        >
          {(field) => (
            <Input
              {...field}
              inputMode="numeric"
              className="tabular-nums"
              {...register("holdout_percent", { valueAsNumber: true })}
            />
          )}
        </Field>
      </div>
      <Field label={t("fields.description")} error={errors.description?.message}>
        {(field) => <Textarea {...field} {...register("description")} />}
      </Field>
      <Field
        label={t("datasets.columns.tags")}
        hint={t("caseTags.setHint")}
        error={errors.tags?.message}
      >
        {(field) => <Input {...field} autoComplete="off" {...register("tags")} />}
      </Field>
    </DialogForm>
  );
}

export function DatasetDialog(props: DatasetDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onOpenChanged={props.onClosed}
      closeOnOutside={false}
      title={props.dataset === undefined ? t("datasets.new") : t("datasets.edit")}
      description={t("datasets.createDescription")}
    >
      <DatasetForm {...props} />
    </Dialog>
  );
}
