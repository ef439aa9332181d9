import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { resultsQuery } from "@/api/run-results";
import type { RunResults } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { formatNumber } from "@/lib/format";
import { CompareRuns } from "./compare-runs";
import { RetryMissing } from "./retry-missing";
import { CriterionTable } from "@/components/results/criterion-table";
import { FacetMap } from "@/components/results/facet-map";
import { JudgesPanel } from "@/components/results/judges-panel";
import { KpiCards } from "@/components/results/kpi-cards";
import { OutcomeCounts } from "@/components/results/outcome-counts";
import { VariantTable } from "@/components/results/variant-table";
import { WinMatrix } from "@/components/results/win-matrix";

function ResultsSkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-6">
        <div className="grid grid-cols-2 gap-4 xl:grid-cols-4">
          {[0, 1, 2, 3].map((at) => (
            <Skeleton key={at} className="h-28 rounded-xl" />
          ))}
        </div>
        <Skeleton className="h-56 rounded-lg" />
        <Skeleton className="h-56 rounded-lg" />
      </div>
    </LoadingStatus>
  );
}

function NoResultsYet({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  const { cells_done: done } = results.progress;
  const failed = results.variants.reduce((sum, variant) => sum + variant.failed, 0);
  const why = !results.is_final ? "coming" : done > 0 && failed === done ? "failed" : "none";
  return (
    <EmptyState
      icon={<ChartNoAxesColumn />}
      title={t("results.empty.title")}
      description={t(`results.empty.${why}`)}
    />
  );
}

/** Progress note of partial results. */
function PartialResultsNote({ results: { progress, is_final: isFinal } }: { results: RunResults }) {
  const { t } = useTranslation();
  return (
    <Alert tone="info">
      {t(isFinal ? "results.incomplete" : "results.partial", {
        done: formatNumber(progress.cells_done),
        total: formatNumber(progress.cells),
        scores: formatNumber(progress.scores_done),
        scoreTotal: formatNumber(progress.scores),
      })}
    </Alert>
  );
}

export interface ResultsTabProps {
  /** Which tab is shown: overall figures, their breakdown, or another run beside this one. */
  part: "results" | "details" | "compare";
  slug: string;
  runId: string;
  /** Id of the run to compare with. */
  against: string | undefined;
  onAgainstChanged: (runId: string | undefined) => void;
  /** Position of the compared variant; the first by default. */
  variant: number | undefined;
  onVariantChanged: (variant: number) => void;
  onOutputOpened: (outputId: string) => void;
}

/** Statistics of a run, partial while it is in progress. */
export function ResultsTab(props: ResultsTabProps) {
  return props.part === "compare" ? (
    <CompareRuns
      slug={props.slug}
      runId={props.runId}
      baselineId={props.against}
      onBaselineChanged={props.onAgainstChanged}
      variant={props.variant}
      onVariantChanged={props.onVariantChanged}
      onOutputOpened={props.onOutputOpened}
    />
  ) : (
    <Figures slug={props.slug} runId={props.runId} part={props.part} />
  );
}

interface FiguresProps {
  slug: string;
  runId: string;
  part: "results" | "details";
}

function Figures({ slug, runId, part }: FiguresProps) {
  const { t } = useTranslation();
  const [baseline, setBaseline] = useState(0);
  const query = useQuery(resultsQuery(slug, runId));
  if (query.isPending) {
    return <ResultsSkeleton />;
  }
  if (query.data === undefined) {
    return <ProblemState error={query.error} onRetry={() => void query.refetch()} />;
  }
  const results = query.data;
  const hasScores = results.composite.value !== null || results.wins !== null;
  if (!hasScores) {
    return <NoResultsYet results={results} />;
  }
  if (part === "details") {
    return (
      <>
        <div className="peer grid grid-cols-1 gap-10 empty:hidden">
          <CriterionTable results={results} />
          <FacetMap results={results} />
          <WinMatrix results={results} />
          <JudgesPanel results={results} />
        </div>
        <p className="hidden text-sm text-ink-muted peer-empty:block">{t("results.noBreakdown")}</p>
      </>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      {results.is_complete ? null : <PartialResultsNote results={results} />}
      <OutcomeCounts results={results} action={<RetryMissing slug={slug} results={results} />} />
      <KpiCards results={results} baseline={baseline} />
      <VariantTable results={results} baseline={baseline} onBaselineChanged={setBaseline} />
    </div>
  );
}
