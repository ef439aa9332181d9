import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { facetsQuery } from "@/api/case-choices";
import type { DatasetSummary } from "@/api/types";
import { SchemaForm } from "@/components/schema-form/schema-form";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Field, FieldError } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { formatNumber } from "@/lib/format";
import type { RunDraft } from "./run-draft";

const ANY = "any";
const SPLITS = ["train", "holdout"] as const;
const MOST_TAGS = 200;

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

/** Maximum number of cases, as a schema form with one field. */
function LimitField({ draft, onDraftChanged, errors }: CaseFieldsProps) {
  const { t } = useTranslation();
  return (
    <SchemaForm
      schema={{
        type: "object",
        properties: {
          limit: {
            type: ["integer", "null"],
            minimum: 1,
            title: t("runs.new.limit"),
            examples: [t("runs.new.noLimit")],
          },
        },
      }}
      value={{ limit: draft.filter.limit ?? null }}
      errors={errors["cases.limit"] === undefined ? {} : { limit: errors["cases.limit"] }}
      onValueChanged={({ limit }) =>
        onDraftChanged({ filter: { ...draft.filter, limit: limit as number | null } })
      }
    />
  );
}

function FilterFields(props: CaseFieldsProps & { datasetId: string }) {
  const { slug, datasetId, draft, onDraftChanged } = props;
  const { t } = useTranslation();
  const facets = useQuery(facetsQuery(slug, datasetId)).data;
  const { filter } = draft;
  const tags = (facets?.tags ?? []).slice(0, MOST_TAGS);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <Field label={t("runs.new.split")}>
        {(control) => (
          <Select
            {...control}
            value={filter.split ?? ANY}
            options={[
              { value: ANY, label: t("runs.new.anySplit") },
              ...SPLITS.map((split) => ({ value: split, label: t(`datasets.splits.${split}`) })),
            ]}
            onValueChanged={(split) =>
              onDraftChanged({ filter: { ...filter, split: split === ANY ? undefined : split } })
            }
          />
        )}
      </Field>
      <Field label={t("runs.new.tag")}>
        {(control) => (
          <Select
            {...control}
            value={filter.tag ?? ANY}
            options={[
              { value: ANY, label: t("runs.new.anyTag") },
              ...tags.map(({ value, cases }) => ({
                value,
                label: `${value} (${formatNumber(cases)})`,
              })),
            ]}
            onValueChanged={(tag) =>
              onDraftChanged({ filter: { ...filter, tag: tag === ANY ? undefined : tag } })
            }
          />
        )}
      </Field>
      <LimitField {...props} />
    </div>
  );
}

function DatasetFields(props: CaseFieldsProps) {
  const { datasets, draft, onDraftChanged, errors } = props;
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
      {draft.datasetId === null ? null : <FilterFields {...props} datasetId={draft.datasetId} />}
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
