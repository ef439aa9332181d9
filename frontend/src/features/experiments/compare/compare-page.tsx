import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ExperimentComparison, Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { useEvidence, VerdictChip } from "@/components/results/verdict";
import { changeOutOfTen } from "@/components/score-scale";
import { Alert } from "@/components/ui/alert";
import { Card } from "@/components/ui/card";
import { Explained } from "@/components/ui/explained";
import { PageHeader } from "@/components/ui/page-header";
import { Select } from "@/components/ui/select";
import { useDocumentTitle } from "@/lib/hooks";
import { ExperimentSkeleton } from "../experiment-skeleton";
import { comparisonQuery, experimentChoicesQuery } from "../queries";
import { CriteriaSideBySide } from "./criteria-side-by-side";
import { SideCard } from "./side-card";

export interface ComparePageProps {
  project: Project;
  experimentId: string;
  otherId: string;
  onOtherChosen: (otherId: string) => void;
}

function Frame({
  slug,
  experimentId,
  children,
}: {
  slug: string;
  experimentId: string;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-1 gap-6">
      <Link
        to="/p/$slug/experiments/$experimentId"
        params={{ slug, experimentId }}
        className="flex items-center gap-1.5 justify-self-start rounded-sm text-xs text-ink-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-3.5" />
        {t("experiments.report.back")}
      </Link>
      {children}
    </div>
  );
}

function OtherSelect({ project, experimentId, otherId, onOtherChosen }: ComparePageProps) {
  const { t } = useTranslation();
  const choices = useQuery(experimentChoicesQuery(project.slug)).data ?? [];
  return (
    <Select
      className="w-72"
      aria-label={t("experiments.compare.other")}
      value={otherId}
      options={choices
        .filter(({ id, iteration_count }) => id !== experimentId && iteration_count > 0)
        .map(({ id, name }) => ({ value: id, label: name }))}
      onValueChanged={onOtherChosen}
    />
  );
}

/** Which experiment is better, on which cases, and how certain that is. */
function VerdictCard({ comparison }: { comparison: ExperimentComparison }) {
  const { t } = useTranslation();
  const evidence = useEvidence();
  const { verdict, basis, left, right } = comparison;
  if (verdict?.difference.value == null) {
    return (
      <Alert tone="info" live={false} title={t("experiments.compare.noVerdict")}>
        {t("experiments.compare.noVerdictHint")}
      </Alert>
    );
  }
  return (
    <Card
      variant="elevated"
      className="grid gap-2 p-5"
      aria-label={t("experiments.compare.verdict")}
    >
      <p className="flex flex-wrap items-center gap-3">
        <span className="text-2xl font-semibold tracking-tight tabular-nums">
          {changeOutOfTen(verdict.difference.value)}
        </span>
        <VerdictChip verdict={verdict.verdict} />
      </p>
      <p className="text-sm">
        {t(`experiments.compare.says.${verdict.verdict}`, {
          other: right.summary.name,
          name: left.summary.name,
        })}
      </p>
      <p className="text-xs text-ink-muted">
        {t(basis === "holdout" ? "experiments.compare.onHoldout" : "experiments.compare.onTrain", {
          count: verdict.difference.cases,
        })}{" "}
        <Explained text={evidence(verdict)} />
      </p>
    </Card>
  );
}

function Compared({ slug, comparison }: { slug: string; comparison: ExperimentComparison }) {
  const { t } = useTranslation();
  const { differences, left, right } = comparison;
  return (
    <>
      <VerdictCard comparison={comparison} />
      {differences.length === 0 ? null : (
        <Alert tone="warning" live={false} title={t("experiments.compare.differences")}>
          <ul className="list-disc pl-4">
            {differences.map((difference) => (
              <li key={difference}>{difference}</li>
            ))}
          </ul>
        </Alert>
      )}
      <div className="grid gap-6 lg:grid-cols-2">
        <SideCard slug={slug} side={left} />
        <SideCard slug={slug} side={right} />
      </div>
      <CriteriaSideBySide left={left} right={right} />
    </>
  );
}

/** Compares two experiments by their best versions on the same cases. */
export function ComparePage(props: ComparePageProps) {
  const { project, experimentId, otherId } = props;
  const { t } = useTranslation();
  const { slug } = project;
  useDocumentTitle(t("experiments.compare.title"), project.name);
  const comparison = useQuery(comparisonQuery(slug, experimentId, otherId));
  if (comparison.isPending) {
    return <ExperimentSkeleton />;
  }
  return (
    <Frame slug={slug} experimentId={experimentId}>
      <PageHeader
        title={t("experiments.compare.title")}
        description={t("experiments.compare.description")}
        actions={<OtherSelect {...props} />}
      />
      {comparison.isError ? (
        <ProblemState error={comparison.error} onRetry={() => void comparison.refetch()} />
      ) : (
        <Compared slug={slug} comparison={comparison.data} />
      )}
    </Frame>
  );
}
