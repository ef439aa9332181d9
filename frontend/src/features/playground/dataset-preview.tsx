import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Case, DatasetSummary } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { formatNumber } from "@/lib/format";
import { previewCasesQuery, PREVIEW_ROWS } from "./queries";
import { inputsOf } from "./run-session";

export interface DatasetPreviewProps {
  slug: string;
  dataset: DatasetSummary;
  onClosed: () => void;
}

/** All inputs, in order of first occurrence. */
function columnsOf(cases: readonly Case[]): string[] {
  return [...new Set(cases.flatMap(({ inputs }) => Object.keys(inputs)))];
}

const CELL = "max-w-72 truncate px-3 py-2 align-top";

function CaseTable({ cases }: { cases: readonly Case[] }) {
  const { t } = useTranslation();
  const columns = columnsOf(cases);
  const hasExpected = cases.some(({ expected }) => expected !== null);
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={t("playground.dataset.rows")}
      className="max-h-[60dvh] overflow-auto rounded-lg border border-border"
    >
      <table className="w-full text-left text-sm">
        <thead className="sticky top-0 bg-surface text-xs text-ink-muted">
          <tr>
            <th scope="col" className="w-12 px-3 py-2 font-medium">
              {t("playground.dataset.row")}
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className="px-3 py-2 font-mono font-medium">
                {name}
              </th>
            ))}
            {hasExpected ? (
              <th scope="col" className="px-3 py-2 font-medium">
                {t("playground.dataset.expected")}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {cases.map((each, index) => {
            const values = inputsOf(each);
            return (
              <tr key={each.id}>
                <td className="px-3 py-2 align-top text-xs text-ink-muted tabular-nums">
                  {index + 1}
                </td>
                {columns.map((name) => (
                  <td key={name} className={CELL} title={values[name]}>
                    {values[name]}
                  </td>
                ))}
                {hasExpected ? (
                  <td className={CELL} title={each.expected ?? undefined}>
                    {each.expected}
                  </td>
                ) : null}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** First rows of the chosen dataset. */
export function DatasetPreview({ slug, dataset, onClosed }: DatasetPreviewProps) {
  const { t } = useTranslation();
  const cases = useQuery(previewCasesQuery(slug, dataset.id));
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="xl"
      title={dataset.name}
      description={
        dataset.case_count > PREVIEW_ROWS
          ? t("playground.dataset.firstOf", {
              count: PREVIEW_ROWS,
              total: formatNumber(dataset.case_count),
            })
          : t("runs.size.cases", { count: dataset.case_count })
      }
    >
      {cases.isPending ? (
        <LoadingStatus>
          <div className="grid gap-3">
            <Skeleton className="h-6" />
            <Skeleton className="h-6" />
            <Skeleton className="h-6 w-3/4" />
          </div>
        </LoadingStatus>
      ) : cases.data === undefined ? (
        <ProblemState error={cases.error} onRetry={() => void cases.refetch()} />
      ) : (
        <CaseTable cases={cases.data} />
      )}
      <DialogFooter>
        <Button asChild variant="secondary">
          <Link to="/p/$slug/datasets/$datasetId" params={{ slug, datasetId: dataset.id }}>
            {t("playground.dataset.open")}
          </Link>
        </Button>
        <Button onClick={onClosed}>{t("ui.close")}</Button>
      </DialogFooter>
    </Dialog>
  );
}
