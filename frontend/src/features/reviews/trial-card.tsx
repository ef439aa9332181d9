import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Suggestion, SuggestionTrial } from "@/api/types";
import { ComparisonCell } from "@/components/results/verdict";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Card, CardContent, CardHeader } from "@/components/ui/card";

type Criterion = SuggestionTrial["criteria"][number];

/** A score before and after the change, out of 10. */
function BeforeAfter({ name, before, after }: Criterion) {
  const { t } = useTranslation();
  const [from, to] = [before, after].map((value) => (value === null ? "–" : outOfTen(value)));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4">
      <dt className="min-w-0 wrap-anywhere">{name}</dt>
      <dd className="tabular-nums">
        {t("reviews.trial.change", { from, to })}
        {before === null || after === null ? null : (
          <span className="ms-2 text-ink-muted">{changeOutOfTen(after - before)}</span>
        )}
      </dd>
    </div>
  );
}

/** What the suggestion scored on the training cases, beside the version it changes. */
export function TrialCard({ slug, suggestion }: { slug: string; suggestion: Suggestion }) {
  const { t } = useTranslation();
  const { trial, origin } = suggestion;
  if (trial === null) {
    return (
      <Card>
        <CardHeader title={t("reviews.trial.title")} />
        <CardContent>
          <p className="text-sm text-ink-muted">
            {t(origin === "person" ? "reviews.trial.own" : "reviews.trial.none")}
          </p>
        </CardContent>
      </Card>
    );
  }
  const { comparison, criteria, version_label, run_id } = trial;
  return (
    <Card>
      <CardHeader
        title={t("reviews.trial.title")}
        description={t("reviews.trial.hint", {
          count: comparison.difference.cases,
          base: version_label,
        })}
      />
      <CardContent className="grid gap-4 text-sm">
        <dl className="grid gap-2">
          <BeforeAfter
            name={t("reviews.trial.composite")}
            before={comparison.baseline_mean}
            after={comparison.other_mean}
          />
          {criteria.map((each) => (
            <BeforeAfter key={each.name} {...each} />
          ))}
        </dl>
        <ComparisonCell comparison={comparison} />
        <Link
          to="/p/$slug/runs/$runId"
          params={{ slug, runId: run_id }}
          className="justify-self-start rounded-sm text-accent-ink hover:underline"
        >
          {t("reviews.trial.run")}
        </Link>
      </CardContent>
    </Card>
  );
}
