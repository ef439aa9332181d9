import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, FlaskConical } from "lucide-react";
import { useTranslation } from "react-i18next";
import { bundleAddress } from "@/api/bundles";
import type { ExperimentReport, Project } from "@/api/types";
import { ScoreTrend } from "@/components/charts/score-trend";
import { ProblemState } from "@/components/problem-state";
import { Section } from "@/components/results/section";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Alert } from "@/components/ui/alert";
import { Card, CardContent } from "@/components/ui/card";
import { DownloadMenu } from "@/components/ui/download-menu";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { useDocumentTitle } from "@/lib/hooks";
import { ExperimentSkeleton } from "../experiment-skeleton";
import { REPORT_FORMATS, reportAddress, reportQuery } from "../queries";
import { StateBadge } from "../state-badge";
import { BestText } from "./best-text";
import { CostTable } from "./cost-table";
import { CriterionChanges } from "./criterion-changes";
import { DecisionTable } from "./decision-table";
import { FirstAndBest } from "./first-and-best";
import { Recommendations } from "./recommendations";
import { Recommended } from "./recommended";
import { SummaryFigures } from "./summary-figures";

export interface ReportPageProps {
  project: Project;
  experimentId: string;
}

function Exports({ slug, report }: { slug: string; report: ExperimentReport }) {
  const { t } = useTranslation();
  const formats = REPORT_FORMATS.filter((format) => format !== "txt" || report.best_text !== null);
  return (
    <DownloadMenu
      label={t("experiments.report.export")}
      variant="primary"
      files={[
        ...formats.map((format) => ({
          label: t(`experiments.report.formats.${format}`),
          address: reportAddress(slug, report.id, format),
        })),
        {
          label: t("experiments.report.formats.bundle"),
          address: bundleAddress(slug, { kind: "experiment", id: report.id }),
        },
      ]}
    />
  );
}

function Findings({ slug, report }: { slug: string; report: ExperimentReport }) {
  const { t } = useTranslation();
  return (
    <>
      <SummaryFigures report={report} />
      {report.best?.gate.sentence == null ? null : (
        <p className="max-w-prose text-sm">{report.best.gate.sentence}</p>
      )}
      {report.best?.warnings.map((warning) => (
        <Alert key={warning} tone="warning" live={false}>
          {warning}
        </Alert>
      ))}
      <Section title={t("experiments.report.trend")}>
        <Card>
          <CardContent>
            <ScoreTrend points={report.trend} best={report.best?.iteration} />
          </CardContent>
        </Card>
      </Section>
      <FirstAndBest report={report} />
      <CriterionChanges report={report} />
      <Recommended report={report} />
      <CostTable report={report} />
      <Recommendations report={report} />
      <BestText slug={slug} report={report} />
      <DecisionTable report={report} />
    </>
  );
}

function LoadedReport({ project, report }: { project: Project; report: ExperimentReport }) {
  const { t } = useTranslation();
  const { slug } = project;
  useDocumentTitle(t("experiments.report.title", { name: report.name }), project.name);
  return (
    <div className="grid grid-cols-1 gap-8">
      <div className="grid gap-4">
        <Link
          to="/p/$slug/experiments/$experimentId"
          params={{ slug, experimentId: report.id }}
          className="flex items-center gap-1.5 justify-self-start rounded-sm text-xs text-ink-muted hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-3.5" />
          {t("experiments.report.back")}
        </Link>
        <PageHeader
          title={t("experiments.report.title", { name: report.name })}
          badges={
            <>
              <StateBadge state={report.state} />
              {report.is_simulated ? <SimulatedBadge /> : null}
            </>
          }
          description={report.stop?.message ?? t("experiments.report.goesOn")}
          actions={<Exports slug={slug} report={report} />}
        />
      </div>
      {report.iterations === 0 ? (
        <EmptyState
          icon={<FlaskConical />}
          title={t("experiments.report.empty")}
          description={t("experiments.report.emptyHint")}
        />
      ) : (
        <Findings slug={slug} report={report} />
      )}
    </div>
  );
}

/** Report: improvement, cost, recommended model and open issues. */
export function ReportPage({ project, experimentId }: ReportPageProps) {
  const report = useQuery(reportQuery(project.slug, experimentId));
  if (report.data !== undefined) {
    return <LoadedReport project={project} report={report.data} />;
  }
  if (report.isPending) {
    return <ExperimentSkeleton />;
  }
  return (
    <ProblemState
      isPage
      error={report.error}
      retrying={report.isFetching}
      onRetry={() => void report.refetch()}
    />
  );
}
