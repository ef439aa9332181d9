import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { sideBySideQuery } from "@/api/side-by-side";
import type { RunResults, SideCase } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { agreementLevel } from "@/components/results/figures";
import { IntervalBar } from "@/components/results/interval-bar";
import { Section } from "@/components/results/section";
import { outOfTen } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import type { OutputsView } from "./outputs/outputs-view";

/** Score ranges that examples are taken from; bounds are inclusive, so the ranges do not touch. */
const LEVELS = [
  { key: "high", order: "best", minScore: 0.7, maxScore: 1 },
  { key: "middle", order: "position", minScore: 0.4, maxScore: 0.6999 },
  { key: "low", order: "worst", minScore: 0, maxScore: 0.3999 },
] as const;
const EXAMPLES = 3;

interface ExplorerProps {
  slug: string;
  results: RunResults;
  /** Opens cases in the outputs tab. */
  onShown: (view: OutputsView) => void;
}

interface LevelProps extends ExplorerProps {
  criterion: string;
  level: (typeof LEVELS)[number];
}

interface ExampleProps extends Pick<LevelProps, "results" | "level"> {
  shown: SideCase;
  onOpened: () => void;
}

/** A case with an answer in this range; its other answers may be in another one. */
function Example({ results, level, shown, onOpened }: ExampleProps) {
  const cell = shown.cells.find(
    ({ score }) => score !== null && score >= level.minScore && score <= level.maxScore,
  );
  const variant = results.variants.find(({ position }) => position === cell?.variant);
  return (
    <li>
      <Button
        variant="ghost"
        size="sm"
        className="-ml-2 h-auto w-full justify-between gap-3 py-1.5 text-left whitespace-normal"
        onClick={onOpened}
      >
        <span className="grid min-w-0 font-normal wrap-anywhere">
          <span className="line-clamp-2">
            {shown.position + 1} · {shown.inputs_preview}
          </span>
          {results.variants.length < 2 || variant === undefined ? null : (
            <span className="line-clamp-1 text-ink-muted">{variant.label}</span>
          )}
        </span>
        <span className="shrink-0 tabular-nums">
          {cell?.score == null ? "–" : outOfTen(cell.score)}
        </span>
      </Button>
    </li>
  );
}

function Level({ slug, results, criterion, level, onShown }: LevelProps) {
  const { t } = useTranslation();
  const { key, order, minScore, maxScore } = level;
  const query = useInfiniteQuery(
    sideBySideQuery(
      slug,
      results.run_id,
      { columns: [], criterion, order, minScore, maxScore },
      EXAMPLES,
    ),
  );
  const found = query.data;
  return (
    <Card className="grid content-start gap-2 p-4">
      <h3 className="flex items-center justify-between gap-2 text-xs font-medium text-ink-muted">
        {t(`iterations.criterion.levels.${key}`)}
        {found === undefined ? null : (
          <span className="tabular-nums">{t("results.cases", { count: found.total ?? 0 })}</span>
        )}
      </h3>
      {query.isPending ? <Skeleton className="h-20" /> : null}
      <LoadError queries={[query]} />
      {found?.items.length === 0 ? (
        <p className="text-sm text-ink-muted">{t("iterations.criterion.noExample")}</p>
      ) : null}
      <ul className="grid">
        {(found?.items ?? []).map((shown) => (
          <Example
            key={shown.position}
            results={results}
            level={level}
            shown={shown}
            onOpened={() => onShown({ criterion, order, case: String(shown.position) })}
          />
        ))}
      </ul>
    </Card>
  );
}

/** Variants ranked on the criterion, and judge agreement. */
function CriterionRanking({ results, criterion }: { results: RunResults; criterion: string }) {
  const { t } = useTranslation();
  const ranked = results.variants
    .flatMap(({ label, criteria }) => {
      const found = criteria.find((each) => each.criterion === criterion);
      return found === undefined ? [] : [{ label, mean: found.mean }];
    })
    .sort((one, other) => (other.mean.value ?? -1) - (one.mean.value ?? -1));
  const agreement = results.agreements.find((each) => each.criterion === criterion);
  return (
    <Card className="grid content-start gap-3 p-4">
      <h3 className="text-xs font-medium text-ink-muted">{t("iterations.criterion.ranking")}</h3>
      <ol className="grid gap-2 text-sm">
        {ranked.map(({ label, mean }, at) => (
          <li key={label} className="flex flex-wrap items-center justify-between gap-2">
            <span className="flex min-w-0 items-center gap-2 wrap-anywhere">
              {label}
              {ranked.length > 1 && at === 0 ? (
                <Badge tone="success">{t("iterations.criterion.top")}</Badge>
              ) : null}
              {ranked.length > 1 && at === ranked.length - 1 ? (
                <Badge>{t("iterations.criterion.bottom")}</Badge>
              ) : null}
            </span>
            <IntervalBar mean={mean} />
          </li>
        ))}
      </ol>
      <p className="text-sm text-ink-muted">
        {agreement === undefined
          ? t("iterations.criterion.oneJudge")
          : t(`results.judges.agree.${agreementLevel(agreement.alpha)}`, {
              name: results.criteria.find(({ key }) => key === criterion)?.name ?? "",
            })}
      </p>
    </Card>
  );
}

/** Results by criterion, with examples. */
export function CriterionExplorer({ slug, results, onShown }: ExplorerProps) {
  const { t } = useTranslation();
  const criteria = results.criteria.filter(({ weight }) => weight > 0);
  const [wanted, setWanted] = useState<string | null>(null);
  const chosen = criteria.find(({ key }) => key === wanted) ?? criteria[0];
  if (chosen === undefined) {
    return null;
  }
  return (
    <Section
      title={t("iterations.criterion.title")}
      hint={t("iterations.criterion.hint")}
      actions={
        <Segmented
          label={t("results.criteria.criterion")}
          value={chosen.key}
          options={criteria.map(({ key, name }) => ({ value: key, label: name }))}
          onValueChanged={setWanted}
        />
      }
    >
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-4">
        <CriterionRanking results={results} criterion={chosen.key} />
        {LEVELS.map((level) => (
          <Level
            key={`${chosen.key} ${level.key}`}
            slug={slug}
            results={results}
            criterion={chosen.key}
            level={level}
            onShown={onShown}
          />
        ))}
      </div>
    </Section>
  );
}
