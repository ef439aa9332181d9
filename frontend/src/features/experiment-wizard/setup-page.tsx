import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { experimentQuery } from "@/api/experiments";
import { ProblemState } from "@/components/problem-state";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { SetupWizard } from "./setup-wizard";
import type { SetupPageProps } from "./wizard-view";

function SetupSkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-6">
        <Skeleton className="h-7 w-64" />
        <Skeleton className="h-14 rounded-xl" />
        <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_19rem]">
          <Skeleton className="h-96 rounded-xl" />
          <Skeleton className="h-64 rounded-xl" />
        </div>
      </div>
    </LoadingStatus>
  );
}

/** Wizard page to set up an experiment, and to change it between iterations. */
export function SetupPage(props: SetupPageProps) {
  const { project, experimentId } = props;
  const { t } = useTranslation();
  const experiment = useQuery(experimentQuery(project.slug, experimentId));
  useDocumentTitle(experiment.data?.name ?? t("wizard.frame.title"), project.name);
  if (experiment.isPending) {
    return <SetupSkeleton />;
  }
  if (experiment.data === undefined) {
    return (
      <ProblemState
        isPage
        error={experiment.error}
        retrying={experiment.isFetching}
        onRetry={() => void experiment.refetch()}
      />
    );
  }
  return <SetupWizard key={experiment.data.id} {...props} experiment={experiment.data} />;
}
