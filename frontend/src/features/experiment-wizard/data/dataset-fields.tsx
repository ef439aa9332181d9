import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { datasetChoicesQuery, variablesQuery } from "@/api/case-choices";
import { LoadError } from "@/components/load-error";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { StepProps } from "../wizard-step";
import { DatasetPreview } from "./dataset-preview";
import { VariableCheck } from "./variable-check";

export interface DatasetFieldsProps extends StepProps<"data"> {
  variables: readonly string[];
}

interface CheckProps {
  slug: string;
  datasetId: string;
  caseCount: number;
  variables: readonly string[];
}

function DatasetCheck({ slug, datasetId, caseCount, variables }: CheckProps) {
  const known = useQuery(variablesQuery(slug, datasetId)).data;
  if (known === undefined || caseCount === 0) {
    return null;
  }
  const counts = new Map(known.map(({ name, cases }) => [name, cases]));
  return (
    <VariableCheck
      missing={variables
        .map((name) => ({ name, count: caseCount - (counts.get(name) ?? 0) }))
        .filter(({ count }) => count > 0)}
      unused={known.map(({ name }) => name).filter((name) => !variables.includes(name))}
    />
  );
}

/** Dataset picker of the step. */
export function DatasetFields({ slug, part, errors, variables, onChanged }: DatasetFieldsProps) {
  const { t } = useTranslation();
  const choices = useQuery(datasetChoicesQuery(slug));
  const datasets = choices.data ?? [];
  const chosen = datasets.find(({ id }) => id === part.dataset_id);
  const offered = datasets.filter(
    (dataset) => dataset.case_count > 0 || dataset.id === part.dataset_id,
  );
  return (
    <div className="grid gap-4">
      <LoadError queries={[choices]} />
      <div className="flex flex-wrap items-start gap-2">
        <Field
          required
          className="min-w-64 flex-1"
          label={t("wizard.data.dataset")}
          hint={choices.isSuccess && offered.length === 0 ? t("wizard.data.noDatasets") : undefined}
          error={errors.dataset_id}
        >
          {(control) => (
            <Select
              {...control}
              value={chosen === undefined ? "" : chosen.id}
              placeholder={t("wizard.data.chooseDataset")}
              options={offered.map(({ id, name, case_count }) => ({
                value: id,
                label: name,
                description: t("runs.size.cases", { count: case_count }),
              }))}
              onValueChanged={(dataset_id) => onChanged({ dataset_id, tag: null })}
            />
          )}
        </Field>
        {chosen === undefined ? null : (
          <Button asChild variant="ghost" size="md" className="mt-6.5">
            <Link
              to="/p/$slug/datasets/$datasetId"
              params={{ slug, datasetId: chosen.id }}
              target="_blank"
            >
              <ExternalLink aria-hidden />
              {t("wizard.data.openDataset")}
            </Link>
          </Button>
        )}
      </div>
      {chosen === undefined ? null : (
        <>
          <DatasetCheck
            slug={slug}
            datasetId={chosen.id}
            caseCount={chosen.case_count}
            variables={variables}
          />
          <DatasetPreview
            slug={slug}
            datasetId={chosen.id}
            caseCount={chosen.case_count}
            variables={variables}
          />
        </>
      )}
    </div>
  );
}
