import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Operations, Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader } from "@/components/ui/page-header";
import { LoadingStatus, Skeleton, TableSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { DeadJobs } from "./dead-jobs";
import { liveWorkerCount, Figures } from "./figures";
import { ProcessTable } from "./process-table";
import { operationsQuery } from "./queries";
import { QueueTable } from "./queue-table";
import { Section } from "./section";

const COMMAND = "edison worker";

function Warnings({ operations }: { operations: Operations }) {
  const { t } = useTranslation();
  const isAlone = operations.mode === "distributed" && liveWorkerCount(operations) === 0;
  return (
    <>
      {operations.trouble === null ? null : (
        <Alert tone="danger" title={t("operations.trouble.title")}>
          {t("operations.trouble.body", { reason: operations.trouble })}
        </Alert>
      )}
      {isAlone ? (
        <Alert tone="warning" title={t("operations.noWorker.title")}>
          <p className="text-pretty">{t("operations.noWorker.body")}</p>
          <p className="flex items-center gap-1">
            <code className="text-xs font-medium">{COMMAND}</code>
            <CopyButton text={COMMAND} label={t("operations.noWorker.copy")} />
          </p>
        </Alert>
      ) : null}
    </>
  );
}

function OverviewSkeleton() {
  return (
    <div className="grid gap-8">
      <LoadingStatus>
        <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          {Array.from({ length: 4 }, (_, index) => (
            <div key={index} className="grid gap-3 rounded-xl border border-border p-5">
              <Skeleton className="h-3 w-16" />
              <Skeleton className="h-7 w-12" />
              <Skeleton className="h-3 w-28" />
            </div>
          ))}
        </div>
      </LoadingStatus>
      <TableSkeleton rows={3} />
    </div>
  );
}

function Overview({ project }: { project: Project }) {
  const { t } = useTranslation();
  const overview = useQuery(operationsQuery(project.slug));
  if (overview.isPending) {
    return <OverviewSkeleton />;
  }
  // The last data stays visible while the server does not respond.
  if (overview.data === undefined) {
    return <ProblemState error={overview.error} onRetry={() => void overview.refetch()} />;
  }
  return (
    <>
      <Warnings operations={overview.data} />
      <Figures operations={overview.data} />
      <Section
        title={t("operations.processes.title")}
        description={t("operations.processes.description")}
      >
        <ProcessTable processes={overview.data.processes} />
      </Section>
      <Section title={t("operations.queue.title")} description={t("operations.queue.description")}>
        <QueueTable depths={overview.data.queue.depths} />
      </Section>
    </>
  );
}

export function OperationsPage({ project }: { project: Project }) {
  const { t } = useTranslation();
  useDocumentTitle(t("operations.title"), project.name);
  return (
    <div className="grid gap-8">
      <PageHeader title={t("operations.title")} description={t("operations.description")} />
      <Overview project={project} />
      <Section title={t("operations.dead.title")} description={t("operations.dead.description")}>
        <DeadJobs project={project} />
      </Section>
    </div>
  );
}
