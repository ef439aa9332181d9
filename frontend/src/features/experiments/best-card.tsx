import { Link } from "@tanstack/react-router";
import { FileText, SquareArrowOutUpRight, Trophy } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Experiment } from "@/api/types";
import { outOfTen } from "@/components/score-scale";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";

/** The best version, its score and caveats. */
export function BestCard({ slug, experiment }: { slug: string; experiment: Experiment }) {
  const { t } = useTranslation();
  const id = useId();
  const { best, pruned } = experiment;
  if (best === null) {
    return null;
  }
  return (
    <Card aria-labelledby={id} data-tour="best" className="flex flex-col">
      <CardHeader id={id} title={t("experiments.best.title")} />
      <CardContent className="flex flex-1 flex-col gap-4">
        <p className="flex items-center gap-3">
          <Trophy aria-hidden className="size-5 text-success" />
          <span className="text-2xl font-semibold tracking-tight">{best.version_label}</span>
          <span className="text-sm text-ink-muted tabular-nums">
            {t("experiments.best.score", { score: outOfTen(best.score) })}
          </span>
        </p>
        <p className="text-sm text-ink-muted">
          {t(`experiments.best.basis.${best.basis}`, { number: best.iteration })}
        </p>
        {best.gate.sentence === null ? null : <p className="text-sm">{best.gate.sentence}</p>}
        {best.warnings.map((warning) => (
          <Alert key={warning} tone="warning" live={false}>
            {warning}
          </Alert>
        ))}
        {pruned.length === 0 ? null : (
          <div className="grid gap-1 text-sm">
            <h3 className="font-medium">{t("experiments.best.pruned")}</h3>
            <ul className="grid gap-1 text-ink-muted">
              {pruned.map(({ variant, label, message }) => (
                <li key={variant}>
                  {label}: {message}
                </li>
              ))}
            </ul>
          </div>
        )}
        <div className="mt-auto flex flex-wrap gap-2 pt-2">
          {experiment.prompt_id === null ? null : (
            <Button asChild variant="secondary" size="sm">
              <Link
                to="/p/$slug/prompts/$promptId"
                params={{ slug, promptId: experiment.prompt_id }}
                search={{ history: true }}
              >
                <SquareArrowOutUpRight aria-hidden />
                {t("experiments.best.open")}
              </Link>
            </Button>
          )}
          <Button asChild variant="secondary" size="sm">
            <Link
              to="/p/$slug/experiments/$experimentId/report"
              params={{ slug, experimentId: experiment.id }}
            >
              <FileText aria-hidden />
              {t("experiments.best.report")}
            </Link>
          </Button>
        </div>
      </CardContent>
    </Card>
  );
}
