import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Optimization, Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Section } from "@/components/results/section";
import { PageHeader } from "@/components/ui/page-header";
import { Select } from "@/components/ui/select";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { optimizationChoicesQuery, optimizationQuery } from "../queries";
import { useSettingRows } from "../setting-rows";
import { useResultRows } from "./result-rows";
import { rowsOf } from "./rows-of";
import { SideTable } from "./side-table";

export interface ComparePageProps {
  project: Project;
  optimizationId: string;
  otherId: string;
  onOtherChosen: (otherId: string) => void;
}

function OtherSelect({ project, optimizationId, otherId, onOtherChosen }: ComparePageProps) {
  const { t } = useTranslation();
  const choices = useQuery(optimizationChoicesQuery(project.slug)).data ?? [];
  return (
    <Select
      className="w-72"
      aria-label={t("optimizations.compare.other")}
      value={otherId}
      options={choices
        .filter(({ id }) => id !== optimizationId)
        .map(({ id, name }) => ({ value: id, label: name }))}
      onValueChanged={onOtherChosen}
    />
  );
}

function Compared({ slug, pair }: { slug: string; pair: readonly [Optimization, Optimization] }) {
  const { t } = useTranslation();
  const results = useResultRows();
  const settings = useSettingRows(slug);
  const [left, right] = pair;
  return (
    <>
      <Section
        title={t("optimizations.compare.results")}
        hint={t("optimizations.compare.resultsHint")}
      >
        <SideTable slug={slug} pair={pair} rows={rowsOf(results(left), results(right))} />
      </Section>
      <Section
        title={t("optimizations.settings.title")}
        hint={t("optimizations.compare.settingsHint")}
      >
        <SideTable slug={slug} pair={pair} rows={rowsOf(settings(left), settings(right))} />
      </Section>
    </>
  );
}

/** Two optimizations side by side: score, cost, verdict and settings. */
export function ComparePage(props: ComparePageProps) {
  const { project, optimizationId, otherId } = props;
  const { slug } = project;
  const { t } = useTranslation();
  useDocumentTitle(t("optimizations.compare.title"), project.name);
  const left = useQuery(optimizationQuery(slug, optimizationId));
  const right = useQuery(optimizationQuery(slug, otherId));
  const failed = [left, right].find(({ isError }) => isError);
  return (
    <div className="grid grid-cols-1 gap-6">
      <Link
        to="/p/$slug/optimizations/$optimizationId"
        params={{ slug, optimizationId }}
        className="flex items-center gap-1.5 justify-self-start rounded-sm text-xs text-ink-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-3.5" />
        {t("optimizations.compare.back")}
      </Link>
      <PageHeader
        title={t("optimizations.compare.title")}
        description={t("optimizations.compare.description")}
        actions={<OtherSelect {...props} />}
      />
      {left.data !== undefined && right.data !== undefined ? (
        <Compared slug={slug} pair={[left.data, right.data]} />
      ) : failed === undefined ? (
        <LoadingStatus>
          <Skeleton className="h-80 rounded-xl" />
        </LoadingStatus>
      ) : (
        <ProblemState
          error={failed.error}
          retrying={failed.isFetching}
          onRetry={() => void failed.refetch()}
        />
      )}
    </div>
  );
}
