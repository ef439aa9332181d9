import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Case } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { caseChoicesQuery, datasetChoicesQuery } from "@/api/case-choices";
import { LoadError } from "@/components/load-error";

const BY_HAND = "by-hand";

/** Field values of a case: strings unchanged, other values as JSON. */
export function fieldValues(inputs: Case["inputs"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

export interface CasePickerProps {
  slug: string;
  onCaseChosen: (values: Record<string, string>) => void;
}

/** Fills the preview from a dataset, case by case. */
export function CasePicker({ slug, onCaseChosen }: CasePickerProps) {
  const { t } = useTranslation();
  const [datasetId, setDatasetId] = useState(BY_HAND);
  const datasets = useQuery(datasetChoicesQuery(slug));
  const filled = (datasets.data ?? []).filter((dataset) => dataset.case_count > 0);
  if (filled.length === 0) {
    return <LoadError queries={[datasets]} />;
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        size="sm"
        className="min-w-40 flex-1"
        aria-label={t("prompts.preview.dataset")}
        value={datasetId}
        options={[
          { value: BY_HAND, label: t("prompts.preview.byHand") },
          ...filled.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onValueChanged={setDatasetId}
      />
      {datasetId === BY_HAND ? null : (
        <CaseSteps key={datasetId} slug={slug} datasetId={datasetId} onCaseChosen={onCaseChosen} />
      )}
    </div>
  );
}

interface CaseStepsProps extends CasePickerProps {
  datasetId: string;
}

function CaseSteps({ slug, datasetId, onCaseChosen }: CaseStepsProps) {
  const { t } = useTranslation();
  const [index, setIndex] = useState<number>();
  const choices = useQuery(caseChoicesQuery(slug, datasetId));
  const cases = choices.data ?? [];
  const go = (next: number) => {
    const chosen = cases[next];
    if (chosen !== undefined) {
      setIndex(next);
      onCaseChosen(fieldValues(chosen.inputs));
    }
  };
  if (choices.isLoadingError) {
    return <LoadError queries={[choices]} />;
  }
  return (
    <div className="flex items-center gap-1">
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        aria-label={t("prompts.preview.previousCase")}
        disabled={index === undefined || index === 0}
        onClick={() => go((index ?? 0) - 1)}
      >
        <ChevronLeft aria-hidden />
      </Button>
      <span role="status" className="text-xs text-ink-muted tabular-nums">
        {index === undefined
          ? t("prompts.preview.noCase")
          : t("prompts.preview.caseOf", { number: index + 1, count: cases.length })}
      </span>
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        aria-label={t("prompts.preview.nextCase")}
        disabled={index !== undefined && index >= cases.length - 1}
        onClick={() => go(index === undefined ? 0 : index + 1)}
      >
        <ChevronRight aria-hidden />
      </Button>
    </div>
  );
}
