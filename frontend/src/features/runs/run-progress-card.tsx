import { useTranslation } from "react-i18next";
import { isFinished, percentDone } from "@/api/runs";
import type { RunDetail } from "@/api/types";
import { PhaseTimeline } from "@/components/phase-timeline";
import { formatScore } from "@/components/score-scale";
import { Card, CardContent } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { formatDuration, formatNumber } from "@/lib/format";
import { formatSpent } from "@/lib/spent";
import { stepsOf } from "./phases";
import { RunFigures } from "./run-figures";
import { VariantProgress } from "./variant-progress";

function Timeline({ run }: { run: RunDetail }) {
  const { t } = useTranslation();
  return (
    <PhaseTimeline
      label={t("runs.phases.label")}
      phases={stepsOf(run).map(({ state, status, seconds }) => ({
        key: state,
        label: t(`runs.phases.${state}`),
        status,
        detail:
          status === "done" && seconds !== null
            ? formatDuration(seconds)
            : status === "current" && state === "executing"
              ? `${Math.floor(percentDone(run))} %`
              : undefined,
      }))}
    />
  );
}

function Details({ slug, run }: { slug: string; run: RunDetail }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-6">
      <Timeline run={run} />
      <div className="grid gap-8 border-t border-border pt-5 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <ul aria-label={t("runs.variants")} className="grid content-start gap-5">
          {run.variants.map((variant) => (
            <VariantProgress key={variant.id} variant={variant} />
          ))}
        </ul>
        <RunFigures slug={slug} run={run} />
      </div>
    </div>
  );
}

/** What a finished run came to, in one line. */
function Outcome({ run }: { run: RunDetail }) {
  const { t } = useTranslation();
  const { error_count: failed, malformed_count: malformed, cached_count: cached } = run;
  const facts = [
    t("runs.cellsOf", {
      done: formatNumber(run.done_count),
      total: formatNumber(run.cell_count),
    }),
    formatDuration(run.elapsed_seconds),
    formatSpent(run.cost_usd, run.unpriced_count),
    run.score === null ? null : `${t("runs.score")} ${formatScore(run.score)}`,
    cached === 0 ? null : t("runs.tally.cached", { count: cached }),
    malformed === 0 ? null : t("runs.tally.malformed", { count: malformed }),
  ];
  return (
    <span className="min-w-0 wrap-anywhere tabular-nums">
      <span className="text-ink">{t("runs.progress")}</span>
      <span className="font-normal"> {facts.filter(Boolean).join(" · ")}</span>
      {failed === 0 ? null : (
        <span className="font-normal text-danger">
          {" · "}
          {t("runs.tally.failed", { count: failed })}
        </span>
      )}
    </span>
  );
}

/** Progress of a run; folded once it is over, because its answers matter then. */
export function RunProgressCard({ slug, run }: { slug: string; run: RunDetail }) {
  const { t } = useTranslation();
  if (isFinished(run.state)) {
    return (
      <Disclosure label={<Outcome run={run} />} className="bg-raised">
        <Details slug={slug} run={run} />
      </Disclosure>
    );
  }
  return (
    <Card aria-label={t("runs.progress")}>
      <CardContent>
        <Details slug={slug} run={run} />
      </CardContent>
    </Card>
  );
}
