import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ClipboardCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { JudgedQuestion, QuestionReport } from "@/api/arena";
import { resultsQuery } from "@/api/run-results";
import { isWorking, percentDone, runQuery } from "@/api/runs";
import type { Project, RunDetail } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ProblemState } from "@/components/problem-state";
import { JudgesPanel } from "@/components/results/judges-panel";
import { Kpi } from "@/components/results/kpi";
import { Section } from "@/components/results/section";
import { outOfTen } from "@/components/score-scale";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { LoadMore } from "@/components/ui/load-more";
import { PageHeader } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import { FormSkeleton, TableSkeleton } from "@/components/ui/skeleton";
import { Unknown } from "@/components/unknown";
import { formatCost, formatNumber } from "@/lib/format";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { GeneratorTable, JudgeTable } from "./judged-tables";
import { QuestionDrawer } from "./question-drawer";
import { QuestionFilters } from "./question-filters";
import { QuestionTable } from "./question-table";
import { questionsQuery, reportQuery, type QuestionView } from "./queries";

export interface JudgedPageProps {
  project: Project;
  runId: string;
  view: QuestionView;
  onViewChanged: (view: QuestionView) => void;
}

function Figures({ report, run }: { report: QuestionReport; run: RunDetail }) {
  const { t } = useTranslation();
  const { score } = report;
  return (
    <section
      aria-label={t("questions.figures.label")}
      className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4"
    >
      <h2 className="sr-only">{t("questions.figures.label")}</h2>
      <Kpi
        label={t("questions.figures.weak")}
        value={formatNumber(report.weak)}
        unit={t("questions.figures.of", { count: report.questions })}
        note={t("questions.figures.weakHint", { score: outOfTen(report.weak_below) })}
      />
      <Kpi
        label={t("arena.columns.score")}
        value={score.value === null ? <Unknown /> : outOfTen(score.value)}
        unit={score.value === null ? "" : "/10"}
        note={
          score.interval === null
            ? t("results.noInterval")
            : t("results.interval", {
                low: outOfTen(score.interval.low),
                high: outOfTen(score.interval.high),
              })
        }
      />
      <Kpi
        label={t("questions.figures.judged")}
        value={formatNumber(report.judged)}
        note={
          report.unjudged === 0
            ? t("questions.figures.all")
            : t("questions.figures.unjudged", { count: report.unjudged })
        }
      />
      <Kpi
        label={t("questions.cost")}
        value={formatCost(run.cost_usd)}
        note={t("questions.figures.costHint")}
      />
    </section>
  );
}

function Questions({
  project,
  runId,
  view,
  onViewChanged,
  report,
}: JudgedPageProps & { report: QuestionReport }) {
  const { slug } = project;
  const { t } = useTranslation();
  const [opened, setOpened] = useState<JudgedQuestion | null>(null);
  const questions = useInfiniteQuery(questionsQuery(slug, runId, view));
  const editable = can(project.role, "datasets.edit") && project.archived_at === null;
  const rows = questions.data?.items ?? [];
  return (
    <Section title={t("questions.table")} hint={t("questions.tableHint")}>
      <QuestionFilters report={report} view={view} onViewChanged={onViewChanged} />
      {questions.isError ? (
        <ProblemState
          error={questions.error}
          retrying={questions.isFetching}
          onRetry={() => void questions.refetch()}
        />
      ) : questions.isPending ? (
        <TableSkeleton rows={6} />
      ) : rows.length === 0 ? (
        <Alert tone="info">{t("questions.noMatch")}</Alert>
      ) : (
        <>
          <QuestionTable questions={rows} generators={report.generators} onOpened={setOpened} />
          <LoadMore
            shown={rows.length}
            total={questions.data.total}
            hasMore={questions.hasNextPage}
            loading={questions.isFetchingNextPage}
            onLoadMore={() => void questions.fetchNextPage()}
          />
        </>
      )}
      {opened === null ? null : (
        <QuestionDrawer
          slug={slug}
          datasetId={report.dataset_id}
          question={opened}
          editable={editable}
          onClosed={() => setOpened(null)}
        />
      )}
    </Section>
  );
}

/** The result of judging questions: figures, weak questions first, judges and generators. */
export function JudgedPage(props: JudgedPageProps) {
  const { project, runId } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const run = useQuery(runQuery(slug, runId));
  const working = run.data !== undefined && isWorking(run.data.state);
  const report = useQuery(reportQuery(slug, runId, working));
  const results = useQuery(resultsQuery(slug, runId));
  useDocumentTitle(run.data?.name ?? t("questions.heading"), project.name);
  const failed = [run, report].find(({ isError }) => isError);
  if (failed !== undefined) {
    return <ProblemState isPage error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  if (run.data === undefined || report.data === undefined) {
    return <FormSkeleton fields={4} />;
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/p/$slug/arena/questions" slug={slug}>
        {t("questions.back")}
      </BackLink>
      <PageHeader
        title={run.data.name}
        actions={
          <>
            <Button asChild variant="ghost">
              <Link to="/p/$slug/runs/$runId" params={{ slug, runId }}>
                {t("voting.results.openRun")}
              </Link>
            </Button>
            {can(project.role, "runs.start") ? (
              <Button asChild variant="secondary">
                <Link to="/p/$slug/annotation" params={{ slug }} search={{ run: runId }}>
                  <ClipboardCheck aria-hidden />
                  {t("questions.askPeople")}
                </Link>
              </Button>
            ) : null}
          </>
        }
      />
      {working ? (
        <Progress label={t("questions.working")} value={percentDone(run.data)} />
      ) : run.data.state === "completed" ? null : (
        <Alert tone="warning">{t("questions.notCompleted")}</Alert>
      )}
      <Figures report={report.data} run={run.data} />
      <Questions {...props} report={report.data} />
      {results.data === undefined ? null : <JudgeTable results={results.data} />}
      {results.data === undefined ? null : <JudgesPanel results={results.data} />}
      <GeneratorTable report={report.data} />
    </div>
  );
}
