import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Optimization } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Progress } from "@/components/ui/progress";
import { formatNumber } from "@/lib/format";
import { currentRound, generationOf, progressOf, situationOf } from "./situation";

interface CardProps {
  slug: string;
  optimization: Optimization;
  onRepeated: (optimizationId: string) => void;
}

/** Why it waits or failed, in the server's words. */
function Reason({ optimization }: { optimization: Optimization }) {
  const { t } = useTranslation();
  const { state, message, reason } = optimization;
  if (state === "failed") {
    return (
      <Alert tone="danger" live={false} title={t("optimizations.failed")}>
        {message}
      </Alert>
    );
  }
  return state === "paused" ? (
    <Alert tone="warning" live={false} title={t("optimizations.pausedTitle")}>
      {reason === "person" ? t("optimizations.pausedByPerson") : message}
    </Alert>
  ) : null;
}

/** The prompt has a newer version than the one that is improved. */
function BaseChanged({ optimization, onRepeated }: Omit<CardProps, "slug">) {
  const { t } = useTranslation();
  const { is_base_latest: isLatest, prompt, version_label: version } = optimization;
  // An approved winner is the newer version itself.
  const isTaken = ["approved", "edited"].includes(optimization.suggestion_state ?? "");
  if (isLatest || prompt.id === null || isTaken) {
    return null;
  }
  return (
    <Alert
      tone="warning"
      live={false}
      title={t("optimizations.baseChanged.title")}
      action={
        <Button size="sm" variant="secondary" onClick={() => onRepeated(optimization.id)}>
          {t("optimizations.repeat")}
        </Button>
      }
    >
      {t("optimizations.baseChanged.body", { prompt: prompt.name, version })}
    </Alert>
  );
}

function Doing({ slug, optimization }: Omit<CardProps, "onRepeated">) {
  const { t } = useTranslation();
  const situation = situationOf(optimization);
  const round = currentRound(optimization);
  if (situation.next === null) {
    return null;
  }
  const words = {
    generation: generationOf(optimization),
    generations: optimization.generations,
    candidates: round?.candidates.length ?? 0,
    cases: round?.cases ?? 0,
    finalist: optimization.finalist ?? 0,
    strategy: optimization.strategy,
  };
  return (
    <Card variant="elevated" className="grid gap-3 p-5" aria-label={t("optimizations.now.label")}>
      <p className="text-base font-medium text-pretty">
        {t(`optimizations.now.${situation.now}`, words)}
      </p>
      {round === undefined ? null : (
        <div className="grid gap-1.5">
          <Progress label={t("optimizations.now.progress")} value={progressOf(round)} />
          <p className="flex flex-wrap justify-between gap-x-4 text-xs text-ink-muted tabular-nums">
            {t("optimizations.now.answers", {
              done: formatNumber(round.done_count),
              all: formatNumber(round.cell_count),
            })}
            {round.run_id === null ? null : (
              <Link
                to="/p/$slug/runs/$runId"
                params={{ slug, runId: round.run_id }}
                className="rounded-sm text-accent-ink underline underline-offset-2"
              >
                {t("optimizations.now.run")}
              </Link>
            )}
          </p>
        </div>
      )}
      <p className="text-sm text-pretty text-ink-muted">
        {t(`optimizations.next.${situation.next}`, words)}
      </p>
    </Card>
  );
}

/** What happens now and next, and what needs a person. */
export function SituationCard(props: CardProps) {
  return (
    <div className="grid gap-4 empty:hidden">
      <Reason optimization={props.optimization} />
      <BaseChanged {...props} />
      <Doing {...props} />
    </div>
  );
}
