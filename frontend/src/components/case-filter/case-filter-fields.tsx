import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { facetsQuery } from "@/api/case-choices";
import { SchemaForm } from "@/components/schema-form/schema-form";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { formatNumber } from "@/lib/format";

const ANY = "any";
const SPLITS = ["train", "holdout"] as const;
const MOST_TAGS = 200;

export interface CaseFilter {
  split?: "train" | "holdout" | undefined;
  tag?: string | undefined;
  limit?: number | null | undefined;
}

export interface CaseFilterFieldsProps {
  slug: string;
  datasetId: string;
  filter: CaseFilter;
  onFilterChanged: (filter: CaseFilter) => void;
  limitError: string | undefined;
}

/** Maximum number of cases, as a schema form with one field. */
function LimitField({ filter, onFilterChanged, limitError }: CaseFilterFieldsProps) {
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
      value={{ limit: filter.limit ?? null }}
      errors={limitError === undefined ? {} : { limit: limitError }}
      onValueChanged={({ limit }) => onFilterChanged({ ...filter, limit: limit as number | null })}
    />
  );
}

/** Filter of a dataset's cases: split, tag and number. */
export function CaseFilterFields(props: CaseFilterFieldsProps) {
  const { slug, datasetId, filter, onFilterChanged } = props;
  const { t } = useTranslation();
  const facets = useQuery(facetsQuery(slug, datasetId)).data;
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
              onFilterChanged({ ...filter, split: split === ANY ? undefined : split })
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
              onFilterChanged({ ...filter, tag: tag === ANY ? undefined : tag })
            }
          />
        )}
      </Field>
      <LimitField {...props} />
    </div>
  );
}
