import { ShieldCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { GuardRailViolation, Suggestion } from "@/api/types";
import { Markdown } from "@/components/markdown";
import { outOfTen } from "@/components/score-scale";
import { Alert } from "@/components/ui/alert";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { Progress } from "@/components/ui/progress";
import { useRailName } from "./suggestion-badges";

function Note({ suggestion }: { suggestion: Suggestion }) {
  const { t } = useTranslation();
  return (
    <Card>
      <CardHeader title={t("reviews.note.title")} />
      <CardContent className="grid gap-3 text-sm">
        <Markdown text={suggestion.note} />
        {suggestion.origin === "rubric" ? (
          <Alert tone="info" live={false} title={t("reviews.baseline.title")}>
            {t("reviews.baseline.body")}
          </Alert>
        ) : null}
        {suggestion.is_repaired ? (
          <p className="text-xs text-ink-muted">{t("reviews.note.repaired")}</p>
        ) : null}
      </CardContent>
    </Card>
  );
}

function Targets({ suggestion }: { suggestion: Suggestion }) {
  const { t } = useTranslation();
  const { targets } = suggestion;
  return (
    <Card>
      <CardHeader title={t("reviews.targets.title")} description={t("reviews.targets.hint")} />
      <CardContent>
        {targets.length === 0 ? (
          <p className="text-sm text-ink-muted">{t("reviews.targets.none")}</p>
        ) : (
          <ul className="grid gap-3 text-sm">
            {targets.map(({ key, name, mean }) => (
              <li key={key} className="grid gap-1.5">
                <span className="flex items-baseline justify-between gap-4">
                  <span className="min-w-0 wrap-anywhere">{name}</span>
                  <span className="shrink-0 tabular-nums">
                    {mean === null
                      ? t("reviews.targets.unscored")
                      : t("reviews.targets.score", { score: outOfTen(mean) })}
                  </span>
                </span>
                {mean === null ? null : <Progress label={name} value={mean * 100} />}
              </li>
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  );
}

/** Exceeded guard rails with names and explanations. */
export function RailList({ violations }: { violations: readonly GuardRailViolation[] }) {
  const nameOf = useRailName();
  return (
    <ul className="grid gap-1">
      {violations.map(({ rail, message }) => (
        <li key={rail}>
          <strong className="font-semibold">{nameOf(rail)}:</strong> {message}
        </li>
      ))}
    </ul>
  );
}

export function RailNotice({ violations }: { violations: readonly GuardRailViolation[] }) {
  const { t } = useTranslation();
  if (violations.length === 0) {
    return (
      <p className="flex items-center gap-2 text-sm text-ink-muted">
        <ShieldCheck aria-hidden className="size-4 shrink-0 text-success" />
        {t("reviews.rail.none")}
      </p>
    );
  }
  return (
    <Alert
      tone="warning"
      live={false}
      title={t("reviews.rail.exceeded", { count: violations.length })}
    >
      <RailList violations={violations} />
    </Alert>
  );
}

/** Rationale of the change, and the criteria it should improve. */
export function Reasons({ suggestion }: { suggestion: Suggestion }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Note suggestion={suggestion} />
      <Targets suggestion={suggestion} />
    </div>
  );
}
