import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { FinalistTest, Optimization } from "@/api/types";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Explained } from "@/components/ui/explained";
import { formatPercent } from "@/lib/format";

type Outcome = NonNullable<Optimization["outcome"]>;

const TONES: Record<Outcome, BadgeTone> = {
  promoted: "success",
  refused: "warning",
  no_gain: "neutral",
  no_headroom: "neutral",
  worn_out: "warning",
  cannot_tell: "warning",
};

/** "+1.2 (+0.4 to +2.0)", with a dash for what is unknown. */
export function heldOutWords({ difference, low, high }: FinalistTest): string {
  if (difference === null) {
    return "—";
  }
  return low === null || high === null
    ? changeOutOfTen(difference)
    : `${changeOutOfTen(difference)} (${changeOutOfTen(low)} … ${changeOutOfTen(high)})`;
}

/** The result of the only test, in one sentence with its numbers. */
export function useGateSentence() {
  const { t } = useTranslation();
  return (finalist: number | null, gate: FinalistTest) =>
    t(`optimizations.gate.${gate.reason}`, {
      candidate: finalist ?? "—",
      train: outOfTen(gate.train_gain ?? 0),
      heldOut: heldOutWords(gate),
      count: gate.cases,
      least: outOfTen(gate.min_gain),
      scorers: gate.less_safe.join(", "),
    });
}

/** The gain on training cases, which chose the finalist, beside the one that counts. */
function Sides({ gate }: { gate: FinalistTest }) {
  const { t } = useTranslation();
  const sides = [
    { key: "train", value: changeOutOfTen(gate.train_gain ?? 0) },
    { key: "heldOut", value: heldOutWords(gate) },
  ] as const;
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      {sides.map(({ key, value }) => (
        <div key={key} className="grid content-start gap-1 rounded-lg bg-surface p-4">
          <dt className="text-xs font-medium text-ink-muted">{t(`optimizations.sides.${key}`)}</dt>
          <dd className="text-xl font-semibold tracking-tight tabular-nums">{value}</dd>
          <dd className="text-xs text-ink-muted">{t(`optimizations.sides.${key}Hint`)}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface VerdictCardProps {
  slug: string;
  optimization: Optimization;
}

/** How a completed optimization ended, and where its winner waits. */
export function VerdictCard({ slug, optimization }: VerdictCardProps) {
  const { t } = useTranslation();
  const sentence = useGateSentence();
  const { outcome, gate, finalist, stop_reason: stop, suggestion_id: suggestionId } = optimization;
  if (outcome === null) {
    return null;
  }
  return (
    <Card variant="elevated" className="grid gap-4 p-5" aria-label={t("optimizations.verdict")}>
      <div className="grid justify-items-start gap-2">
        <Badge tone={TONES[outcome]}>{t(`optimizations.outcomes.${outcome}`)}</Badge>
        <p className="text-base font-medium text-pretty">
          <Explained
            text={gate === null ? t(`optimizations.ends.${outcome}`) : sentence(finalist, gate)}
          />
        </p>
        {stop === null ? null : (
          <p className="text-sm text-ink-muted">{t(`optimizations.stops.${stop}`)}</p>
        )}
      </div>
      {gate === null ? null : (
        <>
          <Sides gate={gate} />
          <p className="text-xs text-ink-muted tabular-nums">
            <Explained
              text={t("optimizations.look", {
                look: gate.look,
                alpha: formatPercent(gate.alpha),
                least: outOfTen(gate.min_gain),
              })}
            />
          </p>
        </>
      )}
      {suggestionId === null ? null : (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            asChild
            variant={optimization.suggestion_state === "pending" ? "primary" : "secondary"}
          >
            <Link to="/p/$slug/reviews/$suggestionId" params={{ slug, suggestionId }}>
              {t("optimizations.review")}
              <ArrowRight aria-hidden />
            </Link>
          </Button>
          {optimization.suggestion_state === null ? null : (
            <span className="text-sm text-ink-muted">
              {t(`optimizations.suggestion.${optimization.suggestion_state}`)}
            </span>
          )}
        </div>
      )}
    </Card>
  );
}
