import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { Problem } from "@/api/problem";
import type { Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { projectQuery } from "@/features/projects/queries";
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

export function ProjectLayout() {
  const { slug } = useParams({ from: "/signed-in/p/$slug" });
  const project = useQuery(projectQuery(slug));
  if (project.data !== undefined) {
    return <LiveProject key={project.data.slug} project={project.data} />;
  }
  if (project.isPending) {
    return <PendingPage />;
  }
  const missing = project.error instanceof Problem && project.error.status === 404;
  return (
    <PageShell>
      {missing ? (
        <ProjectNotFound />
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
