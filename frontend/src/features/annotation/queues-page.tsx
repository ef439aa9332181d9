import { useInfiniteQuery } from "@tanstack/react-query";
import { ClipboardCheck, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { AnnotationQueue, Project } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { SearchBox } from "@/components/search-box";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { NewQueueDialog } from "./new-queue-dialog";
import { queuesQuery, useDeleteQueue, useMoveQueue } from "./queries";
import { QUEUE_STATES, type QueuesView } from "./queues-view";
import { QueueTable, type QueueCommand } from "./queue-table";

const ANY = "any";

export interface QueuesPageProps {
  project: Project;
  view: QueuesView;
  onViewChanged: (view: QueuesView) => void;
  onQueueOpened: (queueId: string) => void;
  onResultsOpened: (queueId: string) => void;
}

interface ListProps extends QueuesPageProps {
  editable: boolean;
}

function Filters({ view, onViewChanged }: QueuesPageProps) {
  const { t } = useTranslation();
  return (
    <div role="group" aria-label={t("annotation.filters")} className="flex flex-wrap gap-3">
      <SearchBox
        label={t("annotation.search")}
        value={view.q}
        onValueChanged={(q) => onViewChanged({ ...view, q })}
      />
      <Select
        aria-label={t("annotation.state")}
        className="w-44"
        value={view.state ?? ANY}
        options={[
          { value: ANY, label: t("annotation.anyState") },
          ...QUEUE_STATES.map((value) => ({ value, label: t(`annotation.states.${value}`) })),
        ]}
        onValueChanged={(value) =>
          onViewChanged({ ...view, state: QUEUE_STATES.find((state) => state === value) })
        }
      />
    </div>
  );
}

function NoQueues({ view, editable, onViewChanged }: ListProps) {
  const { t } = useTranslation();
  if (view.q !== undefined || view.state !== undefined) {
    return <NoMatch onFiltersCleared={() => onViewChanged({})} />;
  }
  return (
    <EmptyState
      icon={<ClipboardCheck />}
      title={t("annotation.empty.title")}
      description={editable ? t("annotation.empty.body") : t("annotation.empty.askEditor")}
      action={
        editable ? (
          <Button onClick={() => onViewChanged({ create: true })}>
            <Plus aria-hidden />
            {t("annotation.empty.action")}
          </Button>
        ) : undefined
      }
    />
  );
}

function DeleteDialog(props: { slug: string; queue: AnnotationQueue; onClosed: () => void }) {
  const { slug, queue, onClosed } = props;
  const { t } = useTranslation();
  const remove = useDeleteQueue(slug);
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("annotation.delete.title", { name: queue.name })}
      description={t("annotation.delete.body")}
      confirmLabel={t("annotation.actions.delete")}
      loading={remove.isPending}
      error={remove.isError ? problemMessage(remove.error) : null}
      onConfirmed={() => remove.mutate(queue.id, { onSuccess: onClosed })}
    />
  );
}

function QueueList(props: ListProps) {
  const { project, view, editable } = props;
  const { slug } = project;
  const [deleted, setDeleted] = useState<AnnotationQueue | null>(null);
  const list = useInfiniteQuery(queuesQuery(slug, { q: view.q, state: view.state }));
  const move = useMoveQueue(slug);
  const onCommand = (command: QueueCommand, queue: AnnotationQueue) => {
    if (command === "delete") {
      setDeleted(queue);
    } else if (command === "results") {
      props.onResultsOpened(queue.id);
    } else {
      move.mutate(
        { queueId: queue.id, move: command },
        { onError: (error) => toast.error(problemMessage(error)) },
      );
    }
  };
  return (
    <>
      <PagedList query={list} empty={<NoQueues {...props} />}>
        {(queues) => (
          <QueueTable slug={slug} queues={queues} editable={editable} onCommand={onCommand} />
        )}
      </PagedList>
      {deleted === null ? null : (
        <DeleteDialog slug={slug} queue={deleted} onClosed={() => setDeleted(null)} />
      )}
    </>
  );
}

/** Every queue in which people are asked to score. */
export function QueuesPage(props: QueuesPageProps) {
  const { project, view, onViewChanged } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("annotation.title"), project.name);
  const editable = can(project.role, "annotation.manage") && project.archived_at === null;
  return (
    <div className="grid gap-6">
      <PageHeader
        title={t("annotation.title")}
        description={t("annotation.description")}
        actions={
          editable ? (
            <Button onClick={() => onViewChanged({ ...view, create: true })}>
              <Plus aria-hidden />
              {t("annotation.new.action")}
            </Button>
          ) : null
        }
      />
      <Filters {...props} />
      <QueueList {...props} editable={editable} />
      {editable && view.create === true ? (
        <NewQueueDialog
          project={project}
          runId={view.run}
          onClosed={() => onViewChanged({ ...view, create: undefined, run: undefined })}
          onCreated={props.onQueueOpened}
        />
      ) : null}
    </div>
  );
}
