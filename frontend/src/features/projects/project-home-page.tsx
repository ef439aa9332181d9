import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Database, ShieldCheck, Users } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { DatasetSummary, Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { RoleBadge } from "@/components/role-badge";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { formatNumber } from "@/lib/format";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { NextSteps } from "./next-steps";
import { datasetsQuery } from "./queries";

interface FigureProps {
  label: string;
  value: ReactNode;
  icon: ReactNode;
}

function Figure({ label, value, icon }: FigureProps) {
  return (
    <div className="flex items-center gap-3.5 rounded-xl border border-border bg-raised p-4">
      <span
        aria-hidden
        className="flex size-9 items-center justify-center rounded-lg bg-surface-hover text-ink-muted [&_svg]:size-4.5"
      >
        {icon}
      </span>
      <div className="grid min-w-0">
        <span className="text-xs text-ink-muted">{label}</span>
        <span className="truncate text-base font-semibold tabular-nums">{value}</span>
      </div>
    </div>
  );
}

function Figures({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { data: datasets } = useQuery(datasetsQuery(project.slug));
  const count = datasets?.total ?? datasets?.items.length;
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Figure
        label={t("home.members")}
        value={formatNumber(project.member_count)}
        icon={<Users />}
      />
      <Figure
        label={t("home.datasets")}
        value={count === undefined ? <Skeleton className="mt-1 w-8" /> : formatNumber(count)}
        icon={<Database />}
      />
      <Figure
        label={t("home.yourRole")}
        value={<RoleBadge role={project.role} />}
        icon={<ShieldCheck />}
      />
    </div>
  );
}

function DatasetRow({ slug, dataset }: { slug: string; dataset: DatasetSummary }) {
  return (
    <li className="flex items-center gap-3 px-5 py-3">
      <Database aria-hidden className="size-4 shrink-0 text-ink-subtle" />
      <Link
        to="/p/$slug/datasets/$datasetId"
        params={{ slug, datasetId: dataset.id }}
        title={dataset.name}
        className="min-w-0 flex-1 truncate rounded-sm font-medium hover:text-accent-ink hover:underline"
      >
        {dataset.name}
      </Link>
      <Badge tone="outline" className="capitalize">
        {dataset.kind.toLowerCase().replaceAll("_", " ")}
      </Badge>
      <RelativeTime
        iso={dataset.created_at}
        className="w-28 text-right text-xs text-ink-muted max-sm:hidden"
      />
    </li>
  );
}

function Datasets({ slug }: { slug: string }) {
  const { t } = useTranslation();
  const datasets = useQuery(datasetsQuery(slug));
  return (
    <Card aria-labelledby="datasets-heading">
      <CardHeader
        id="datasets-heading"
        title={t("home.datasets")}
        description={t("home.datasetsHint")}
      />
      {datasets.isPending ? (
        <CardContent>
          <LoadingStatus className="grid gap-3">
            <Skeleton className="h-8" />
            <Skeleton className="h-8" />
          </LoadingStatus>
        </CardContent>
      ) : datasets.isError ? (
        <CardContent>
          <ProblemState error={datasets.error} onRetry={() => void datasets.refetch()} />
        </CardContent>
      ) : datasets.data.items.length === 0 ? (
        <EmptyState
          bare
          icon={<Database />}
          title={t("home.noDatasets")}
          description={t("home.noDatasetsHint")}
        />
      ) : (
        <ul className="mt-3 divide-y divide-border border-t border-border">
          {datasets.data.items.map((dataset) => (
            <DatasetRow key={dataset.id} slug={slug} dataset={dataset} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function QuickFacts({ project }: { project: Project }) {
  const { t } = useTranslation();
  const rows = [
    { label: t("home.slug"), value: <code className="text-xs break-all">{project.slug}</code> },
    { label: t("home.created"), value: <RelativeTime iso={project.created_at} /> },
    { label: t("home.updated"), value: <RelativeTime iso={project.updated_at} /> },
  ];
  return (
    <Card aria-labelledby="facts-heading">
      <CardHeader id="facts-heading" title={t("home.facts")} />
      <CardContent>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2.5 text-sm">
          {rows.map((row) => (
            <div key={row.label} className="contents">
              <dt className="text-ink-muted">{row.label}</dt>
              <dd className="min-w-0 text-right">{row.value}</dd>
            </div>
          ))}
        </dl>
      </CardContent>
    </Card>
  );
}

export interface ProjectHomePageProps {
  project: Project;
  /** Unresolved alerts of the project's monitors. */
  alerts: ReactNode;
}

export function ProjectHomePage({ project, alerts }: ProjectHomePageProps) {
  const { t } = useTranslation();
  useDocumentTitle(project.name);
  const archived = typeof project.archived_at === "string";
  return (
    <div className="grid gap-6">
      <PageHeader
        title={project.name}
        description={project.description}
        badges={project.is_demo ? <Badge tone="outline">{t("projects.demo")}</Badge> : null}
      />
      {archived ? (
        <Alert
          tone="warning"
          live={false}
          title={t("home.archivedTitle")}
          action={
            can(project.role, "project.archive") ? (
              <Link
                to="/p/$slug/settings"
                params={{ slug: project.slug }}
                className="font-medium underline underline-offset-4"
              >
                {t("home.openSettings")}
              </Link>
            ) : undefined
          }
        >
          {t("home.archivedBody")}
        </Alert>
      ) : null}
      {alerts}
      <Figures project={project} />
      <div className="grid items-start gap-6 xl:grid-cols-[1fr_20rem]">
        <div className="grid gap-6">
          <NextSteps project={project} />
          <Datasets slug={project.slug} />
        </div>
        <QuickFacts project={project} />
      </div>
    </div>
  );
}
