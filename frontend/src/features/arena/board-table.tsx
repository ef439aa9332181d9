import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Board, BoardRating, BoardRow } from "@/api/arena";
import { IntervalBar } from "@/components/results/interval-bar";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Badge } from "@/components/ui/badge";
import { Table, type Column } from "@/components/ui/table";
import { Tooltip } from "@/components/ui/tooltip";
import { Unknown } from "@/components/unknown";
import { formatCost, formatNumber, formatPercent, formatSeconds } from "@/lib/format";
import { rankText } from "./board-view";

function Mark({
  label,
  hint,
  tone,
}: {
  label: string;
  hint: string;
  tone: "accent" | "warning" | "outline";
}) {
  return (
    <Tooltip content={hint}>
      <span tabIndex={0} className="inline-flex rounded-full">
        <Badge tone={tone}>{label}</Badge>
      </span>
    </Tooltip>
  );
}

function Name({ row, marksFront }: { row: BoardRow; marksFront: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="font-medium wrap-anywhere">{row.name}</span>
      {row.is_simulated ? <SimulatedBadge /> : null}
      {marksFront && row.is_on_front ? (
        <Mark tone="accent" label={t("arena.front")} hint={t("arena.frontHint")} />
      ) : null}
      {row.is_own_judge ? (
        <Mark tone="warning" label={t("arena.ownJudge")} hint={t("arena.ownJudgeHint")} />
      ) : null}
      {row.is_compared ? null : (
        <Mark tone="outline" label={t("arena.notCompared")} hint={t("arena.notComparedHint")} />
      )}
    </div>
  );
}

function Rating({ rating }: { rating: BoardRating | null }) {
  const { t } = useTranslation();
  if (rating === null) {
    return <Unknown />;
  }
  const { points, low, high, comparisons } = rating;
  return (
    <span className="grid tabular-nums">
      {formatNumber(Math.round(points))}
      <span className="text-xs whitespace-nowrap text-ink-muted">
        {low === null || high === null
          ? t("arena.votes", { count: comparisons })
          : t("arena.interval", {
              low: formatNumber(Math.round(low)),
              high: formatNumber(Math.round(high)),
            })}
      </span>
    </span>
  );
}

function Answers({ row }: { row: BoardRow }) {
  const { t } = useTranslation();
  return (
    <span className="grid tabular-nums">
      {formatNumber(row.cases)}
      {row.failures === 0 ? null : (
        <span className="text-xs whitespace-nowrap text-danger">
          {t("arena.failures", { count: row.failures, answers: row.answers })}
        </span>
      )}
    </span>
  );
}

function ratingColumns(rows: readonly BoardRow[], t: TFunction): Column<BoardRow>[] {
  return (["people", "judges"] as const)
    .filter((of) => rows.some((row) => row[of] !== null))
    .map((of) => ({
      key: of,
      header: t(`arena.columns.${of}`),
      align: "right",
      cell: (row) => <Rating rating={row[of]} />,
    }));
}

function useColumns(board: Board): Column<BoardRow>[] {
  const { t } = useTranslation();
  const compared = board.rows.filter((row) => row.is_compared);
  // When every model is on the front, the mark says nothing.
  const marksFront = compared.some((row) => !row.is_on_front);
  return [
    {
      key: "rank",
      header: t("arena.columns.rank"),
      className: "lg:w-16",
      cell: (row) => (
        <span className="font-semibold whitespace-nowrap tabular-nums">
          {rankText(row) ?? <Unknown />}
        </span>
      ),
    },
    {
      key: "model",
      header: t("arena.columns.model"),
      primary: true,
      className: "lg:min-w-48",
      cell: (row) => <Name row={row} marksFront={marksFront} />,
    },
    {
      key: "score",
      header: t("arena.columns.score"),
      cell: ({ score, score_low: low, score_high: high, cases, rank_best: best }) => (
        <IntervalBar
          mean={{
            value: score,
            interval: low === null || high === null ? null : { low, high },
            cases,
          }}
          best={best === 1}
        />
      ),
    },
    ...ratingColumns(board.rows, t),
    {
      key: "passed",
      header: t("arena.columns.passed"),
      align: "right",
      cell: ({ pass_rate: rate }) => (rate === null ? <Unknown /> : formatPercent(rate)),
    },
    {
      key: "cost",
      header: t("arena.columns.cost"),
      align: "right",
      cell: ({ answer_usd: usd }) => (usd === null ? <Unknown /> : formatCost(usd)),
    },
    {
      key: "time",
      header: t("arena.columns.time"),
      align: "right",
      cell: ({ p50_seconds: p50, p95_seconds: p95 }) =>
        p50 === null || p95 === null ? (
          <Unknown />
        ) : (
          <span className="whitespace-nowrap tabular-nums">
            {formatSeconds(p50)} / {formatSeconds(p95)}
          </span>
        ),
    },
    {
      key: "cases",
      header: t("arena.columns.cases"),
      align: "right",
      cell: (row) => <Answers row={row} />,
    },
  ];
}

/** All models of a board, in the given order. */
export function BoardTable({ board, rows }: { board: Board; rows: readonly BoardRow[] }) {
  const { t } = useTranslation();
  return (
    <Table
      caption={t("arena.table")}
      columns={useColumns(board)}
      rows={rows}
      rowKey={(row) => row.model_id}
    />
  );
}
