import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { facetsQuery } from "@/api/case-choices";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { formatNumber } from "@/lib/format";
import { NumberField } from "@/components/number-field";
import { StepSection } from "../step-section";
import type { StepProps } from "../wizard-step";
import { countTags } from "./inline-cases";

const ANY = "any";
const MOST_TAGS = 200;
const MOST_CASES = 100_000;

function useTags({ slug, part }: StepProps<"data">) {
  const datasetId = part.dataset_id;
  const facets = useQuery({ ...facetsQuery(slug, datasetId ?? ""), enabled: datasetId !== null });
  const tags = datasetId === null ? countTags(part.cases) : (facets.data?.tags ?? []);
  // Keep the chosen tag among the options even if no case has it any more.
  const chosen = part.tag;
  return chosen === null || tags.some(({ value }) => value === chosen)
    ? tags.slice(0, MOST_TAGS)
    : [{ value: chosen, cases: 0 }, ...tags.slice(0, MOST_TAGS)];
}

/** Case selection: tag, maximum number, and holdout. */
export function AmountFields(props: StepProps<"data">) {
  const { part, errors, onChanged } = props;
  const { t } = useTranslation();
  const tags = useTags(props);
  return (
    <StepSection title={t("wizard.data.amountTitle")} description={t("wizard.data.amountHint")}>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label={t("wizard.data.tag")} error={errors.tag}>
          {(control) => (
            <Select
              {...control}
              disabled={tags.length === 0}
              value={part.tag ?? ANY}
              options={[
                { value: ANY, label: t("wizard.data.anyTag") },
                ...tags.map(({ value, cases }) => ({
                  value,
                  label: `${value} (${formatNumber(cases)})`,
                })),
              ]}
              onValueChanged={(tag) => onChanged({ tag: tag === ANY ? null : tag })}
            />
          )}
        </Field>
        <NumberField
          isWhole
          label={t("wizard.data.maxTrain")}
          hint={t("wizard.data.maxTrainHint")}
          placeholder={t("wizard.data.all")}
          least={1}
          most={MOST_CASES}
          value={part.max_train_cases}
          error={errors.max_train_cases}
          onValueChanged={(max_train_cases) => onChanged({ max_train_cases })}
        />
      </div>
      <Switch
        label={t("wizard.data.holdout")}
        description={t("wizard.data.holdoutHint")}
        checked={part.uses_holdout}
        onCheckedChanged={(uses_holdout) => onChanged({ uses_holdout })}
      />
      {part.uses_holdout ? (
        <NumberField
          isWhole
          label={t("wizard.data.maxHoldout")}
          placeholder={t("wizard.data.all")}
          least={1}
          most={MOST_CASES}
          value={part.max_holdout_cases}
          error={errors.max_holdout_cases}
          onValueChanged={(max_holdout_cases) => onChanged({ max_holdout_cases })}
        />
      ) : null}
    </StepSection>
  );
}
