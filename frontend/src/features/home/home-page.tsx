import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FlaskConical, Play, SquarePen } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { Checklist } from "./checklist";
import { ProductionCard } from "./production-card";
import { homeQuery } from "./queries";
import { WaitingCard } from "./waiting-card";

function ArchivedNotice({ project }: { project: Project }) {
  const { t } = useTranslation();
  return (
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
  );
}

function QuickActions({ slug }: { slug: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Button asChild variant="secondary">
        <Link to="/p/$slug/experiments/new" params={{ slug }}>
          <FlaskConical aria-hidden />
          {t("home.actions.experiment")}
        </Link>
      </Button>
      <Button asChild variant="secondary">
        <Link to="/p/$slug/runs/new" params={{ slug }}>
          <Play aria-hidden />
          {t("home.actions.run")}
        </Link>
      </Button>
      <Button asChild>
        <Link to="/p/$slug/playground" params={{ slug }}>
          <SquarePen aria-hidden />
          {t("home.actions.playground")}
        </Link>
      </Button>
    </>
  );
}

export interface HomePageProps {
  project: Project;
  /** Unresolved alerts of the project's monitors. */
  alerts: ReactNode;
  runs: ReactNode;
  experiments: ReactNode;
  budgets: ReactNode;
}

/** The project at a glance: what waits, what is in production, what happened last. */
export function HomePage({ project, alerts, runs, experiments, budgets }: HomePageProps) {
  const { t } = useTranslation();
  useDocumentTitle(project.name);
  const { slug } = project;
  const home = useQuery(homeQuery(slug));
  const isArchived = typeof project.archived_at === "string";
  const editable = !isArchived && can(project.role, "runs.start");
  return (
    <div className="grid gap-6">
      <PageHeader
        title={project.name}
        description={project.description}
        badges={project.is_demo ? <Badge tone="outline">{t("projects.demo")}</Badge> : null}
        actions={editable ? <QuickActions slug={slug} /> : null}
      />
      {isArchived ? <ArchivedNotice project={project} /> : null}
      {alerts}
      {home.isPending ? (
        <LoadingStatus className="grid gap-6 lg:grid-cols-2">
          <Skeleton className="h-40 rounded-xl" />
          <Skeleton className="h-40 rounded-xl" />
        </LoadingStatus>
      ) : home.isError ? (
        <ProblemState error={home.error} onRetry={() => void home.refetch()} />
      ) : (
        <>
          {editable ? <Checklist slug={slug} steps={home.data.steps} /> : null}
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <WaitingCard slug={slug} waiting={home.data.waiting} />
            <ProductionCard slug={slug} prompts={home.data.production} editable={editable} />
          </div>
        </>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2 xl:grid-cols-3">
        {runs}
        {experiments}
        {budgets}
      </div>
    </div>
  );
}
