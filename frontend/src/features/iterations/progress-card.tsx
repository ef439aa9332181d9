import { Hourglass } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Iteration } from "@/api/types";
import { PhaseTimeline } from "@/components/phase-timeline";
import { Card, CardContent } from "@/components/ui/card";
import { Progress } from "@/components/ui/progress";
import { formatDuration, formatNumber, formatPercent } from "@/lib/format";
import { Figures } from "./figures-list";
import { stepsOf, type Step } from "./phases";

type Work = NonNullable<Iteration["progress"]>;

const shareOf = (done: number, total: number) => (total === 0 ? 0 : Math.min(1, done / total));

/** Rounded down, so that only what is complete shows 100%. */
const formatShare = (share: number) => formatPercent(Math.floor(share * 100) / 100);

/** Progress of a phase that is not over. Answers are judged while others are still awaited. */
function progressText({ state }: Step, progress: Work | null): string | undefined {
  if (progress === null) {
    return undefined;
  }
  const { cells, cells_done, scores, scores_done, comparisons, comparisons_done } = progress;
  if (state === "executing") {
    return formatShare(shareOf(cells_done, cells));
  }
  const judged = scores_done + comparisons_done;
  return state === "judging" && judged > 0
    ? formatShare(shareOf(judged, scores + comparisons))
    : undefined;
}

function Timeline({ iteration }: { iteration: Iteration }) {
  const { t } = useTranslation();
  return (
    <PhaseTimeline
      label={t("iterations.phases.label")}
      phases={stepsOf(iteration).map((step) => ({
        key: step.state,
        label: t(`iterations.phases.${step.state}`),
        status: step.status,
        detail:
          step.status === "done" && step.seconds !== null
            ? formatDuration(step.seconds)
            : step.status === "done" || step.status === "stopped"
              ? undefined
              : progressText(step, iteration.progress),
      }))}
    />
  );
}

function VariantBar({ variant }: { variant: Work["variants"][number] }) {
  const { t } = useTranslation();
  const { label, done, cells, failed, waiting } = variant;
  const share = shareOf(done, cells);
  return (
    <li className="grid gap-1.5">
      <span className="flex items-baseline justify-between gap-4 text-sm">
        <span className="min-w-0 font-medium wrap-anywhere">{label}</span>
        <span className="shrink-0 text-xs text-ink-muted tabular-nums">{formatShare(share)}</span>
      </span>
      <Progress
        label={t("iterations.progressOf", { name: label })}
        value={share * 100}
        className="h-2"
      />
      <span className="text-xs text-ink-muted tabular-nums">
        {t("iterations.answersOf", { done: formatNumber(done), total: formatNumber(cells) })}
        {failed > 0 ? (
          <span className="text-danger"> · {t("iterations.failed", { count: failed })}</span>
        ) : null}
      </span>
      {waiting === null ? null : (
        <span className="flex items-start gap-1.5 text-xs text-warning">
          <Hourglass aria-hidden className="mt-px size-3.5 shrink-0" />
          {waiting}
        </span>
      )}
    </li>
  );
}

function JudgedCount({ progress }: { progress: Work }) {
  const { t } = useTranslation();
  const parts = [
    { key: "scores", done: progress.scores_done, total: progress.scores },
    { key: "comparisons", done: progress.comparisons_done, total: progress.comparisons },
  ] as const;
  return parts
    .filter(({ total }) => total > 0)
    .map(({ key, done, total }) => (
      <li key={key} className="grid gap-1.5">
        <span className="flex items-baseline justify-between gap-4 text-sm">
          <span className="font-medium">{t(`iterations.judged.${key}`)}</span>
          <span className="shrink-0 text-xs text-ink-muted tabular-nums">
            {t("iterations.judged.of", { done: formatNumber(done), total: formatNumber(total) })}
          </span>
        </span>
        <Progress
          label={t(`iterations.judged.${key}`)}
          value={shareOf(done, total) * 100}
          className="h-2"
        />
      </li>
    ));
}

/** Progress of an iteration: phases, configurations and consumption. */
export function ProgressCard({ iteration }: { iteration: Iteration }) {
  const { t } = useTranslation();
  const { progress } = iteration;
  return (
    <Card aria-label={t("iterations.progress")}>
      <CardContent className="grid gap-6">
        <Timeline iteration={iteration} />
        <div className="grid gap-8 border-t border-border pt-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
          {progress === null ? (
            <p className="text-sm text-ink-muted">{t("iterations.noProgress")}</p>
          ) : (
            <ul aria-label={t("iterations.work")} className="grid content-start gap-5">
              {progress.variants.map((variant, at) => (
                <VariantBar key={at} variant={variant} />
              ))}
              <JudgedCount progress={progress} />
            </ul>
          )}
          <Figures iteration={iteration} />
        </div>
      </CardContent>
    </Card>
  );
}
