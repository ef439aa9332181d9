import { useQuery } from "@tanstack/react-query";
import { FileUp, PencilLine, Sparkles, Table2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { facetsQuery } from "@/api/case-choices";
import type { Dataset, DatasetVariable } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Kbd } from "@/components/ui/kbd";
import { formatNumber } from "@/lib/format";
import { BulkBar } from "./bulk-bar";
import { CaseFilters } from "./case-filters";
import { CaseGrid } from "./case-grid";
import type { DatasetAddress } from "@/api/case-imports";
import type { DatasetOverlay } from "./overlay";
import { useCasePages, type RowRange } from "./use-case-pages";
import { countChosen, isFiltered, NOTHING, type CaseView } from "./view";

export interface CasesTabProps {
  at: DatasetAddress;
  dataset: Dataset;
  variables: readonly DatasetVariable[];
  editable: boolean;
  view: CaseView;
  onViewChanged: (view: CaseView) => void;
  onOverlayChanged: (overlay: DatasetOverlay) => void;
}

function NoCases({ editable, onOverlayChanged }: CasesTabProps) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<Table2 />}
      title={t("datasets.noCases.title")}
      description={editable ? t("datasets.noCases.body") : t("datasets.noCases.readOnly")}
      action={
        editable ? (
          <div className="flex flex-wrap justify-center gap-2">
            <Button onClick={() => onOverlayChanged({ import: true })}>
              <FileUp aria-hidden />
              {t("datasets.import.action")}
            </Button>
            <Button variant="secondary" onClick={() => onOverlayChanged({ add: true })}>
              <PencilLine aria-hidden />
              {t("datasets.empty.write")}
            </Button>
            <Button variant="secondary" onClick={() => onOverlayChanged({ generate: "synthetic" })}>
              <Sparkles aria-hidden />
              {t("datasets.generate.action")}
            </Button>
          </div>
        ) : undefined
      }
    />
  );
}

function KeyHints({ editable }: { editable: boolean }) {
  const { t } = useTranslation();
  const hints = [
    { keys: "↑ ↓ ← →", text: t("datasets.keys.move") },
    ...(editable
      ? [
          { keys: "Enter", text: t("datasets.keys.edit") },
          { keys: "Space", text: t("datasets.keys.choose") },
        ]
      : []),
    { keys: "E", text: t("datasets.keys.expand") },
  ];
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
      {hints.map(({ keys, text }) => (
        <li key={keys} className="flex items-center gap-1.5">
          <Kbd keys={keys} /> {text}
        </li>
      ))}
    </ul>
  );
}

function CaseTable(props: CasesTabProps) {
  const { at, variables, editable, view, onViewChanged, onOverlayChanged } = props;
  const { t } = useTranslation();
  const facets = useQuery(facetsQuery(at.slug, at.datasetId));
  const [range, setRange] = useState<RowRange>({ first: 0, last: 0 });
  const [chosen, setChosen] = useState(NOTHING);
  const pages = useCasePages(at, view, range);
  const total = pages.total ?? 0;
  const count = countChosen(chosen, total);
  return (
    <>
      {pages.error !== null && pages.total === null ? (
        <ProblemState error={pages.error} onRetry={pages.retry} />
      ) : pages.total === 0 ? (
        <NoMatch />
      ) : (
        <>
          <CaseGrid
            at={at}
            pages={pages}
            onRangeChanged={setRange}
            variables={variables}
            editable={editable}
            sort={view.sort}
            onSortChanged={(sort) => onViewChanged({ ...view, sort })}
            chosen={chosen}
            onChosenChanged={setChosen}
            onCaseOpened={(row) => onOverlayChanged({ case: row.id })}
          />
          {count > 0 ? (
            <BulkBar
              at={at}
              view={view}
              chosen={chosen}
              count={count}
              total={total}
              knownTags={facets.data?.tags.map(({ value }) => value) ?? []}
              onChosenChanged={setChosen}
              onDone={() => setChosen(NOTHING)}
            />
          ) : (
            <div className="flex min-h-12 flex-wrap items-center justify-between gap-3">
              <p role="status" className="text-sm text-ink-muted">
                {pages.total === null
                  ? ""
                  : isFiltered(view)
                    ? t("datasets.shownOf", {
                        shown: formatNumber(total),
                        total: formatNumber(props.dataset.case_count),
                      })
                    : t("datasets.count", { count: total, number: formatNumber(total) })}
              </p>
              <KeyHints editable={editable} />
            </div>
          )}
        </>
      )}
    </>
  );
}

export function CasesTab(props: CasesTabProps) {
  const { at, dataset, view, onViewChanged } = props;
  const facets = useQuery(facetsQuery(at.slug, at.datasetId));
  if (dataset.case_count === 0) {
    return <NoCases {...props} />;
  }
  const { sort, ...filter } = view;
  return (
    <div className="grid gap-4">
      <CaseFilters view={view} onViewChanged={onViewChanged} facets={facets.data} />
      {/* The key resets selection and scroll position when the filter changes. */}
      <CaseTable key={JSON.stringify([filter, sort])} {...props} />
    </div>
  );
}
