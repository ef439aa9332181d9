import { CircleX, History, Replace, RotateCw, TriangleAlert, UserRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Cell } from "@/api/types";
import { ScoreBadge } from "@/components/score-badge";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/lib/cn";
import { failureLabel } from "@/lib/failures";
import { formatCompact, formatCost, formatSeconds } from "@/lib/format";
import type { Metric, Missing } from "./columns";
import { cellPassed, cellScore, type Weighted } from "./rows";

/** Not the usual skeleton: a screen full of cells would be hundreds of animations. */
const BAR = "h-3 rounded-md bg-surface-hover";

/** What the cell costs, or how good it is: one figure at a time. */
function MetricBadge({ cell, metric, scorers }: CellContentProps & { cell: Cell }) {
  const { t } = useTranslation();
  if (metric === "score") {
    return cell.scores.length === 0 && cell.human_value === null ? null : (
      <ScoreBadge
        label={t("runs.cell.score")}
        value={cellScore(cell, scorers)}
        passed={cellPassed(cell)}
      />
    );
  }
  const unknown = t("runs.cell.unknown");
  const texts = {
    tokens:
      cell.input_tokens === null || cell.output_tokens === null
        ? unknown
        : t("runs.cell.tokens", {
            input: formatCompact(cell.input_tokens),
            output: formatCompact(cell.output_tokens),
          }),
    cost: cell.cost_usd === null ? unknown : formatCost(cell.cost_usd),
    time: cell.latency_seconds === null ? unknown : formatSeconds(cell.latency_seconds),
  };
  return <Badge className="tabular-nums">{texts[metric]}</Badge>;
}

function Marks({ cell }: { cell: Cell }) {
  const { t } = useTranslation();
  const marks = [
    { shown: cell.is_wanted_again, Icon: RotateCw, text: t("runs.cell.again") },
    { shown: cell.is_cached, Icon: History, text: t("runs.cell.cached") },
    { shown: cell.is_fallback, Icon: Replace, text: t("runs.cell.fallback") },
    { shown: cell.human_value !== null, Icon: UserRound, text: t("runs.cell.human") },
  ];
  return marks.map(({ shown, Icon, text }) =>
    shown ? (
      <span key={text} className="flex items-center gap-1 text-xs text-ink-muted">
        <Icon aria-hidden className="size-3" />
        {text}
      </span>
    ) : null,
  );
}

function Text({ cell }: { cell: Cell }) {
  const { t } = useTranslation();
  if (cell.status === "error") {
    return (
      <p className="flex items-start gap-1.5 text-danger">
        <CircleX aria-hidden className="mt-0.5 size-3.5 shrink-0" />
        <span className="line-clamp-3">
          {cell.error === null ? t("runs.cell.error") : failureLabel(cell.error)}
        </span>
      </p>
    );
  }
  return (
    <>
      {cell.status === "malformed" ? (
        <p className="flex items-center gap-1.5 text-xs font-medium text-warning">
          <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
          {t("runs.cell.malformed")}
        </p>
      ) : null}
      <p className={cn("wrap-anywhere", cell.status === "ok" ? "line-clamp-3" : "line-clamp-2")}>
        {cell.preview === null || cell.preview === "" ? (
          <span className="text-ink-subtle">{t("runs.cell.empty")}</span>
        ) : (
          cell.preview
        )}
      </p>
    </>
  );
}

function MissingCell({ missing }: { missing: Missing }) {
  const { t } = useTranslation();
  if (missing === "coming") {
    return (
      <div className="grid animate-pulse gap-2 pt-1">
        <span className="sr-only">{t("runs.cell.coming")}</span>
        <span className={cn(BAR, "w-full")} />
        <span className={cn(BAR, "w-5/6")} />
        <span className={cn(BAR, "w-1/2")} />
      </div>
    );
  }
  return <p className="text-ink-subtle">{t(`runs.cell.${missing}`)}</p>;
}

export interface CellContentProps {
  cell: Cell | undefined;
  missing: Missing;
  metric: Metric;
  scorers: readonly Weighted[];
}

/** What one variant answered to one case, as far as it fits. */
export function CellContent(props: CellContentProps) {
  const { cell, missing } = props;
  if (cell === undefined) {
    return <MissingCell missing={missing} />;
  }
  return (
    <div className={cn("flex h-full flex-col gap-1", cell.is_wanted_again && "opacity-70")}>
      <Text cell={cell} />
      <div className="mt-auto flex items-center gap-2.5 pt-1">
        <Marks cell={cell} />
        <span className="ml-auto">
          <MetricBadge {...props} cell={cell} />
        </span>
      </div>
    </div>
  );
}
