import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { DeadJob, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { PagedList } from "@/components/listing/paged-list";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Table, type Column } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { deadJobsQuery, JOB } from "./queries";
import { useTaskName } from "./use-task-name";

/**
 * Invalidates after errors too: another user may have decided first. Callbacks are passed to the
 * hook, because those passed to `mutate` are dropped when the job's row unmounts.
 */
const DECISION = { always: true } as const;

function ActionsCell({ slug, job, onDiscardWanted }: ActionsProps) {
  const { t } = useTranslation();
  const retry = useChange(
    "post",
    `${JOB}/retry`,
    { project: slug, job_id: job.id },
    {
      ...DECISION,
      keep: () => void toast.success(t("operations.dead.retry.done")),
      onError: (error) => void toast.error(problemMessage(error)),
    },
  );
  return (
    <div className="flex justify-end gap-1">
      <Button
        variant="secondary"
        size="sm"
        loading={retry.isPending}
        aria-label={t("operations.dead.retry.of", { job: job.key })}
        onClick={() => retry.mutate(undefined)}
      >
        <RotateCcw aria-hidden />
        {t("operations.dead.retry.action")}
      </Button>
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        aria-label={t("operations.dead.discard.of", { job: job.key })}
        title={t("operations.dead.discard.action")}
        onClick={onDiscardWanted}
      >
        <Trash2 aria-hidden />
      </Button>
    </div>
  );
}

interface ActionsProps {
  slug: string;
  job: DeadJob;
  onDiscardWanted: () => void;
}

interface DiscardProps {
  slug: string;
  job: DeadJob;
  onClosed: () => void;
}

function DiscardDialog({ slug, job, onClosed }: DiscardProps) {
  const { t } = useTranslation();
  const discard = useChange(
    "delete",
    JOB,
    { project: slug, job_id: job.id },
    {
      ...DECISION,
      keep: () => {
        toast.success(t("operations.dead.discard.done"));
        onClosed();
      },
    },
  );
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("operations.dead.discard.title")}
      description={t("operations.dead.discard.body", { key: job.key })}
      confirmLabel={t("operations.dead.discard.action")}
      loading={discard.isPending}
      error={discard.error === null ? null : problemMessage(discard.error)}
      onConfirmed={() => discard.mutate(undefined)}
    />
  );
}

function useColumns(slug: string, onDiscardWanted: (job: DeadJob) => void): Column<DeadJob>[] {
  const { t } = useTranslation();
  const taskName = useTaskName();
  return [
    {
      key: "job",
      primary: true,
      header: t("operations.dead.columns.job"),
      cell: (job) => (
        <div className="grid min-w-0 gap-0.5 text-left">
          <span className="font-medium">{taskName(job.task)}</span>
          <code className="text-xs break-all text-ink-muted">{job.key}</code>
        </div>
      ),
    },
    {
      key: "reason",
      header: t("operations.dead.columns.reason"),
      cell: (job) => (
        <span className="flex items-center gap-1 max-lg:justify-end">
          <code className="text-xs break-all" title={t("operations.dead.reasonHint")}>
            {job.reason}
          </code>
          <CopyButton text={job.reason} label={t("operations.dead.copyReason")} />
        </span>
      ),
    },
    {
      key: "attempts",
      header: t("operations.dead.columns.attempts"),
      align: "right",
      className: "tabular-nums",
      cell: (job) => job.attempts,
    },
    {
      key: "failed",
      header: t("operations.dead.columns.failed"),
      cell: (job) => (
        <RelativeTime iso={job.failed_at} className="whitespace-nowrap text-ink-muted" />
      ),
    },
    {
      key: "actions",
      header: t("ui.actions"),
      align: "right",
      cell: (job) => (
        <ActionsCell slug={slug} job={job} onDiscardWanted={() => onDiscardWanted(job)} />
      ),
    },
  ];
}

export function DeadJobs({ project }: { project: Project }) {
  const { t } = useTranslation();
  const [unwanted, setUnwanted] = useState<DeadJob | null>(null);
  const columns = useColumns(project.slug, setUnwanted);
  const jobs = useInfiniteQuery(deadJobsQuery(project.slug));
  const empty = (
    <div className="rounded-lg border border-border bg-raised">
      <EmptyState
        bare
        icon={<CircleCheck />}
        title={t("operations.dead.empty")}
        description={t("operations.dead.emptyHint")}
      />
    </div>
  );
  return (
    <>
      <PagedList query={jobs} empty={empty} skeleton={<TableSkeleton rows={2} />}>
        {(items) => (
          <Table
            caption={t("operations.dead.title")}
            columns={columns}
            rows={items}
            rowKey={(job) => job.id}
          />
        )}
      </PagedList>
      {unwanted === null ? null : (
        <DiscardDialog slug={project.slug} job={unwanted} onClosed={() => setUnwanted(null)} />
      )}
    </>
  );
}
