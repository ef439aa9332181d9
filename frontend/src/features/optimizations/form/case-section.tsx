import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { facetsQuery } from "@/api/case-choices";
import type { DatasetSummary } from "@/api/types";
import { FormSection } from "@/components/form-section";
import { LoadError } from "@/components/load-error";
import { NumberField } from "@/components/number-field";
import { Alert } from "@/components/ui/alert";
import { Disclosure } from "@/components/ui/disclosure";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { formatNumber } from "@/lib/format";
import type { SectionProps } from "./form-props";

/** How many cases each split has; without held-out ones, where to set them. */
function Split({ slug, datasetId }: { slug: string; datasetId: string }) {
  const { t } = useTranslation();
  const facets = useQuery(facetsQuery(slug, datasetId));
  if (facets.data === undefined) {
    return <LoadError queries={[facets]} />;
  }
  const countOf = (split: string) =>
    facets.data.splits.find(({ value }) => value === split)?.cases ?? 0;
  const [train, holdout] = [countOf("train"), countOf("holdout")];
  if (holdout > 0) {
    return (
      <p className="text-sm text-ink-muted tabular-nums">
        {t("optimizations.form.split", {
          train: formatNumber(train),
          holdout: formatNumber(holdout),
        })}
      </p>
    );
  }
  return (
    <Alert tone="warning" live={false} title={t("optimizations.form.noHoldout")}>
      {t("optimizations.form.noHoldoutHint")}{" "}
      <Link to="/p/$slug/datasets/$datasetId" params={{ slug, datasetId }} className="underline">
        {t("optimizations.form.openDataset")}
      </Link>
    </Alert>
  );
}

/** Dataset with its split, and how many cases are used at most. */
export function CaseSection(props: SectionProps & { datasets: readonly DatasetSummary[] }) {
  const { slug, datasets, draft, onDraftChanged, errors } = props;
  const { t } = useTranslation();
  const hasError = ["max_train_cases", "max_holdout_cases"].some(
    (field) => errors[field] !== undefined,
  );
  return (
    <FormSection
      title={t("optimizations.form.cases")}
      description={t("optimizations.form.casesHint")}
    >
      <Field required label={t("optimizations.form.dataset")} error={errors.dataset_id}>
        {(control) => (
          <Select
            {...control}
            value={draft.datasetId}
            placeholder={t("schemaForm.choose")}
            options={datasets.map(({ id, name, case_count: count }) => ({
              value: id,
              label: name,
              description: t("runs.size.cases", { count }),
            }))}
            onValueChanged={(datasetId) => onDraftChanged({ datasetId })}
          />
        )}
      </Field>
      {draft.datasetId === "" ? null : <Split slug={slug} datasetId={draft.datasetId} />}
      <Disclosure label={t("optimizations.form.limitCases")} forcedOpen={hasError}>
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <NumberField
            isWhole
            least={5}
            most={1000}
            label={t("optimizations.form.maxTrain")}
            value={draft.maxTrainCases}
            error={errors.max_train_cases}
            onValueChanged={(maxTrainCases) => onDraftChanged({ maxTrainCases })}
          />
          <NumberField
            isWhole
            least={7}
            most={2000}
            label={t("optimizations.form.maxHoldout")}
            value={draft.maxHoldoutCases}
            error={errors.max_holdout_cases}
            onValueChanged={(maxHoldoutCases) => onDraftChanged({ maxHoldoutCases })}
          />
        </div>
      </Disclosure>
    </FormSection>
  );
}
