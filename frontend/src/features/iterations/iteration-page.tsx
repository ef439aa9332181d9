import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { iterationQuery } from "@/api/experiments";
import type { Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { PageHeader } from "@/components/ui/page-header";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";

export interface IterationPageProps {
  project: Project;
  experimentId: string;
  iterationId: string;
}

/** An iteration, while it is worked on and afterwards. */
export function IterationPage({ project, experimentId, iterationId }: IterationPageProps) {
  const { t } = useTranslation();
  const iteration = useQuery(iterationQuery(project.slug, experimentId, iterationId));
  useDocumentTitle(t("iterations.title", { number: iteration.data?.number ?? "" }), project.name);
  if (iteration.isPending) {
    return (
      <LoadingStatus>
        <Skeleton className="h-64 rounded-xl" />
      </LoadingStatus>
    );
  }
  if (iteration.isError) {
    return <ProblemState error={iteration.error} onRetry={() => void iteration.refetch()} />;
  }
  return <PageHeader title={t("iterations.title", { number: iteration.data.number })} />;
}
