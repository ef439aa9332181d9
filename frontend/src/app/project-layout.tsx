import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import { Problem } from "@/api/problem";
import type { Project } from "@/api/types";
import { useTranslation } from "react-i18next";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { projectQuery } from "@/api/projects";
import { ProjectNotFound } from "./not-found-page";
import { PendingPage } from "./pending-page";
import { ProjectContext } from "./project-context";
import { useProjectEvents } from "./project-events";
import { PageShell } from "./shell/page-shell";

function LiveProject({ project }: { project: Project }) {
  const stream = useProjectEvents(project.slug);
  return (
    <ProjectContext value={project}>
      <PageShell project={project} stream={stream}>
        <Outlet />
      </PageShell>
    </ProjectContext>
  );
}

/** Shown when the project requires two-factor authentication and the user has not enabled it. */
function TwoFactorNeeded() {
  const { t } = useTranslation();
  return (
    <EmptyState
      isPage
      icon={<ShieldCheck />}
      title={t("problem.twoFactor.title")}
      description={t("problem.twoFactor.body")}
      action={
        <Button asChild>
          <Link to="/account" search={{ tab: "security" }}>
            {t("problem.twoFactor.action")}
          </Link>
        </Button>
      }
    />
  );
}

export function ProjectLayout() {
  const { slug } = useParams({ from: "/signed-in/p/$slug" });
  const project = useQuery(projectQuery(slug));
  if (project.data !== undefined) {
    return <LiveProject key={project.data.slug} project={project.data} />;
  }
  if (project.isPending) {
    return <PendingPage />;
  }
  const { error } = project;
  const missing = error instanceof Problem && error.status === 404;
  const unprotected = error instanceof Problem && error.code === "TWO_FACTOR_REQUIRED";
  return (
    <PageShell>
      {missing ? (
        <ProjectNotFound />
      ) : unprotected ? (
        <TwoFactorNeeded />
      ) : (
        <ProblemState
          error={project.error}
          retrying={project.isFetching}
          onRetry={() => void project.refetch()}
        />
      )}
    </PageShell>
  );
}
