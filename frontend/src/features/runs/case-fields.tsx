import { useTranslation } from "react-i18next";
import type { DatasetSummary } from "@/api/types";
import { CaseFilterFields } from "@/components/case-filter/case-filter-fields";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Field, FieldError } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { RunDraft } from "./run-draft";

type Part = Partial<RunDraft>;

export interface CaseFieldsProps {
  slug: string;
  datasets: readonly DatasetSummary[];
  /** Variables of the chosen prompts. */
  variables: readonly string[];
  draft: RunDraft;
  onDraftChanged: (part: Part) => void;
  errors: FieldErrors;
}

function DatasetFields(props: CaseFieldsProps) {
  const { slug, datasets, draft, onDraftChanged, errors } = props;
  const { t } = useTranslation();
  return (
    <div className="grid gap-4">
      <Field required label={t("runs.new.dataset")} error={errors.dataset_id}>
        {(control) => (
          <Select
            {...control}
            value={draft.datasetId ?? ""}
            placeholder={t("schemaForm.choose")}
            options={datasets.map(({ id, name, case_count }) => ({
              value: id,
              label: name,
              description: t("runs.size.cases", { count: case_count }),
            }))}
            onValueChanged={(datasetId) => onDraftChanged({ datasetId, filter: {} })}
          />
        )}
      </Field>
      {draft.datasetId === null ? null : (
        <CaseFilterFields
          slug={slug}
          datasetId={draft.datasetId}
          filter={draft.filter}
          limitError={errors["cases.limit"]}
          onFilterChanged={(filter) => onDraftChanged({ filter })}
        />
      )}
      {errors.cases === undefined ? null : <FieldError>{errors.cases}</FieldError>}
    </div>
  );
}

function InputFields({ variables, draft, onDraftChanged, errors }: CaseFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4">
      {variables.length === 0 ? (
        <p className="text-sm text-ink-muted">{t("runs.new.noVariables")}</p>
      ) : null}
      {variables.map((name) => (
        <Field key={name} required label={<code>{name}</code>} error={errors[`inputs.0.${name}`]}>
          {(control) => (
            <Textarea
              {...control}
              value={draft.inputs[name] ?? ""}
              onChange={(event) =>
                onDraftChanged({ inputs: { ...draft.inputs, [name]: event.target.value } })
              }
            />
          )}
        </Field>
      ))}
      {errors.inputs === undefined && errors["inputs.0"] === undefined ? null : (
        <FieldError>{errors.inputs ?? errors["inputs.0"]}</FieldError>
      )}
    </div>
  );
}

/** Cases of a run: from a dataset, or one entered by hand. */
export function CaseFields(props: CaseFieldsProps) {
  const { draft, onDraftChanged } = props;
  const { t } = useTranslation();
  return (
    <div className="grid gap-4">
      <div>
        <Segmented
          label={t("runs.new.source")}
          value={draft.source}
          options={[
            { value: "dataset", label: t("runs.new.fromDataset") },
            { value: "inputs", label: t("runs.new.byHand") },
          ]}
          onValueChanged={(source) => onDraftChanged({ source })}
        />
      </div>
      {draft.source === "dataset" ? <DatasetFields {...props} /> : <InputFields {...props} />}
    </div>
  );
}
