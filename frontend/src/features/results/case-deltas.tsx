import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { CaseDelta } from "@/api/types";
import { PagedList } from "@/components/listing/paged-list";
import { changeOutOfTen, formatScore } from "@/components/score-scale";
import { Button } from "@/components/ui/button";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Table, type Column } from "@/components/ui/table";
import { cn } from "@/lib/cn";
import { deltasQuery, type VariantPair } from "./queries";

function toneOf(difference: number): string {
  if (difference === 0) {
    return "text-ink-muted";
  }
  return difference > 0 ? "text-success" : "text-danger";
}

function useDeltaColumns(onOutputOpened: (outputId: string) => void): Column<CaseDelta>[] {
  const { t } = useTranslation();
  return [
    {
      key: "case",
      header: t("results.compare.case"),
      primary: true,
      cell: ({ position, inputs_preview, output_id }) =>
        output_id === null ? (
          inputs_preview
        ) : (
          <Button
            variant="ghost"
            size="sm"
            className="-ml-2 h-auto max-w-full justify-start py-1 text-left whitespace-normal"
            onClick={() => onOutputOpened(output_id)}
          >
            <span className="line-clamp-2 font-normal wrap-anywhere">
              {position + 1} · {inputs_preview}
            </span>
          </Button>
        ),
    },
    {
      key: "before",
      header: t("results.compare.before"),
      align: "right",
      cell: ({ baseline_score }) => formatScore(baseline_score),
    },
    {
      key: "after",
      header: t("results.compare.after"),
      align: "right",
      cell: ({ score }) => formatScore(score),
    },
    {
      key: "change",
      header: t("results.compare.change"),
      align: "right",
      cell: ({ difference }) => (
        <span className={cn("font-medium tabular-nums", toneOf(difference))}>
          {changeOutOfTen(difference)}
        </span>
      ),
    },
  ];
}

export interface CaseDeltasProps {
  slug: string;
  runId: string;
  baselineId: string;
  pair: VariantPair;
  onOutputOpened: (outputId: string) => void;
}

export function CaseDeltas({ slug, runId, baselineId, pair, onOutputOpened }: CaseDeltasProps) {
  const { t } = useTranslation();
  const deltas = useInfiniteQuery(deltasQuery(slug, runId, baselineId, pair));
  const columns = useDeltaColumns(onOutputOpened);
  return (
    <PagedList query={deltas} empty={null} skeleton={<TableSkeleton rows={3} />}>
      {(items) => (
        <div className="grid grid-cols-1 gap-2">
          <h3 className="text-sm font-semibold">{t("results.compare.cases")}</h3>
          <Table
            caption={t("results.compare.cases")}
            columns={columns}
            rows={items}
            rowKey={({ position }) => String(position)}
          />
        </div>
      )}
    </PagedList>
  );
}
