import { useInfiniteQuery } from "@tanstack/react-query";
import { ClipboardCheck, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { FilterBar, FilterSelect } from "@/components/listing/filter-bar";
import { ResourceList } from "@/components/listing/resource-list";
import { Button } from "@/components/ui/button";
import { can } from "@/lib/permissions";
import { NewQueueDialog } from "./new-queue-dialog";
import { queuesQuery } from "./queries";
import { useQueueColumns } from "./queue-columns";
import { QUEUE_STATES, type QueuesView } from "./queues-view";
import { useQueueCommands } from "./use-queue-commands";

export interface QueuesPageProps {
  project: Project;
  view: QueuesView;
  onViewChanged: (view: QueuesView) => void;
  onQueueOpened: (queueId: string) => void;
  onResultsOpened: (queueId: string) => void;
}

function Filters({ view, onViewChanged }: QueuesPageProps) {
  const { t } = useTranslation();
  return (
    <FilterBar
      label={t("annotation.filters")}
      search={t("annotation.search")}
      q={view.q}
      onSearched={(q) => onViewChanged({ ...view, q })}
    >
      <FilterSelect
        label={t("annotation.state")}
        anything={t("annotation.anyState")}
        value={view.state}
        options={QUEUE_STATES.map((value) => ({
          value,
          label: t(`annotation.states.${value}`),
        }))}
        onChosen={(state) => onViewChanged({ ...view, state })}
      />
    </FilterBar>
  );
}

/** List of annotation queues. */
export function QueuesPage(props: QueuesPageProps) {
  const { project, view, onViewChanged } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const editable = can(project.role, "annotation.manage") && project.archived_at === null;
  const filters = { q: view.q, state: view.state };
  const { commandsOf, dialog } = useQueueCommands(slug, props.onResultsOpened);
  const create = (label: string) =>
    editable ? (
      <Button onClick={() => onViewChanged({ ...view, create: true })}>
        <Plus aria-hidden />
        {label}
      </Button>
    ) : null;
  return (
    <ResourceList
      project={project}
      title={t("annotation.title")}
      description={t("annotation.description")}
      create={create(t("annotation.new.action"))}
      filterBar={<Filters {...props} />}
      filters={filters}
      onFiltersCleared={() => onViewChanged({})}
      query={useInfiniteQuery(queuesQuery(slug, filters))}
      columns={useQueueColumns(slug)}
      commandsOf={editable ? commandsOf : undefined}
      empty={{
        icon: <ClipboardCheck />,
        title: t("annotation.empty.title"),
        body: editable ? t("annotation.empty.body") : t("annotation.empty.askEditor"),
        action: create(t("annotation.empty.action")),
      }}
    >
      {dialog}
      {editable && view.create === true ? (
        <NewQueueDialog
          project={project}
          runId={view.run}
          onClosed={() => onViewChanged({ ...view, create: undefined, run: undefined })}
          onCreated={props.onQueueOpened}
        />
      ) : null}
    </ResourceList>
  );
}
