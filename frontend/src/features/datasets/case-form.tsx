import { useTranslation } from "react-i18next";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { CaseInputs, type CaseInputsProps } from "./case-inputs";
import { DIFFICULTIES, ORIGINS, SPLITS, type Difficulty, type Origin, type Split } from "./view";

const UNSET = "unset";

function Properties({ form, onFormChanged, errors, editable, isNew }: CaseInputsProps) {
  const { t } = useTranslation();
  const automatic = { value: UNSET, label: t("datasets.form.automatic") } as const;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <Field label={t("datasets.columns.difficulty")} error={errors.difficulty}>
        {(control) => (
          <Select<Difficulty | typeof UNSET>
            {...control}
            disabled={!editable}
            value={form.difficulty === "" ? UNSET : form.difficulty}
            options={[
              { value: UNSET, label: t("datasets.form.noDifficulty") },
              ...DIFFICULTIES.map((value) => ({ value, label: value })),
            ]}
            onValueChanged={(value) =>
              onFormChanged({ ...form, difficulty: value === UNSET ? "" : value })
            }
          />
        )}
      </Field>
      <Field required={!isNew} label={t("datasets.columns.split")} error={errors.split}>
        {(control) => (
          <Select<Split | typeof UNSET>
            {...control}
            disabled={!editable}
            value={form.split === "" ? UNSET : form.split}
            options={[
              ...(isNew ? [automatic] : []),
              ...SPLITS.map((value) => ({ value, label: t(`datasets.splits.${value}`) })),
            ]}
            onValueChanged={(value) =>
              onFormChanged({ ...form, split: value === UNSET ? "" : value })
            }
          />
        )}
      </Field>
      <Field required={!isNew} label={t("datasets.columns.origin")} error={errors.origin}>
        {(control) => (
          <Select<Origin | typeof UNSET>
            {...control}
            disabled={!editable}
            value={form.origin === "" ? UNSET : form.origin}
            options={[
              ...(isNew ? [automatic] : []),
              ...ORIGINS.map((value) => ({ value, label: t(`datasets.origins.${value}`) })),
            ]}
            onValueChanged={(value) =>
              onFormChanged({ ...form, origin: value === UNSET ? "" : value })
            }
          />
        )}
      </Field>
    </div>
  );
}

export function CaseFormFields(props: CaseInputsProps) {
  const { form, onFormChanged, errors, editable } = props;
  const { t } = useTranslation();
  return (
    <div className="grid gap-6">
      <CaseInputs {...props} />
      <Field label={t("datasets.columns.expected")} error={errors.expected}>
        {(control) => (
          <Textarea
            {...control}
            readOnly={!editable}
            className="field-sizing-content max-h-80"
            value={form.expected}
            onChange={(event) => onFormChanged({ ...form, expected: event.target.value })}
          />
        )}
      </Field>
      <Field
        label={t("datasets.columns.tags")}
        hint={t("datasets.bulk.tagsHint")}
        error={errors.tags}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            readOnly={!editable}
            value={form.tags}
            onChange={(event) => onFormChanged({ ...form, tags: event.target.value })}
          />
        )}
      </Field>
      <Properties {...props} />
      <Field label={t("datasets.columns.notes")} error={errors.notes}>
        {(control) => (
          <Textarea
            {...control}
            readOnly={!editable}
            value={form.notes}
            onChange={(event) => onFormChanged({ ...form, notes: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}
