import { useTranslation } from "react-i18next";
import type { DatasetSummary } from "@/api/types";
import { CaseFilterFields } from "@/components/case-filter/case-filter-fields";
import { NumberField } from "@/components/number-field";
import { Button } from "@/components/ui/button";
import { Field, FieldError } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { SectionProps } from "./form-props";
import { FormSection } from "@/components/form-section";
import { casesWith, filterOf } from "./monitor-draft";

const MOST_REPEATS = 5;

export interface CaseSectionProps extends SectionProps {
  datasets: readonly DatasetSummary[];
}

/** Dataset, filter and repeats. */
export function CaseSection(props: CaseSectionProps) {
  const { slug, datasets, draft, onDraftChanged, errors } = props;
  const { t } = useTranslation();
  const { datasetId, cases } = draft;
  return (
    <FormSection title={t("monitors.form.cases")} description={t("monitors.form.casesHint")}>
      <Field required label={t("monitors.form.dataset")} error={errors.dataset_id}>
        {(control) => (
          <Select
            {...control}
            value={datasetId ?? ""}
            placeholder={t("schemaForm.choose")}
            options={datasets.map(({ id, name, case_count }) => ({
              value: id,
              label: name,
              description: t("runs.size.cases", { count: case_count }),
            }))}
            onValueChanged={(chosen) => onDraftChanged({ datasetId: chosen, cases: null })}
          />
        )}
      </Field>
      {datasetId === null ? null : cases?.case_ids != null ? (
        <p className="flex flex-wrap items-center gap-3 text-sm">
          {t("monitors.form.selectedCases", { count: cases.case_ids.length })}
          <Button variant="secondary" size="sm" onClick={() => onDraftChanged({ cases: null })}>
            {t("monitors.form.useAllCases")}
          </Button>
        </p>
      ) : (
        <CaseFilterFields
          slug={slug}
          datasetId={datasetId}
          filter={filterOf(cases)}
          limitError={errors["cases.limit"]}
          onFilterChanged={(filter) => onDraftChanged({ cases: casesWith(cases, filter) })}
        />
      )}
      {errors.cases === undefined ? null : <FieldError>{errors.cases}</FieldError>}
      <NumberField
        isWhole
        least={1}
        most={MOST_REPEATS}
        label={t("monitors.form.repeats")}
        hint={t("monitors.form.repeatsHint")}
        value={draft.repeats}
        error={errors.repeats}
        onValueChanged={(repeats) => onDraftChanged({ repeats })}
      />
    </FormSection>
  );
}
