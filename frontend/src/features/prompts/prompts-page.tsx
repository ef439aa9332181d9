import { useInfiniteQuery } from "@tanstack/react-query";
import { MessageSquareText, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { promptsQuery, type PromptFilters } from "@/api/prompts";
import type { Project } from "@/api/types";
import { FilterBar, FilterSelect, StatusFilter } from "@/components/listing/filter-bar";
import { ResourceList } from "@/components/listing/resource-list";
import { CreatePromptDialog } from "@/components/prompt-editor/create-prompt-dialog";
import { Button } from "@/components/ui/button";
import { can } from "@/lib/permissions";
import { usePromptColumns } from "./prompt-columns";
import { usePromptCommands } from "./use-prompt-commands";

export interface PromptsPageProps {
  project: Project;
  filters: PromptFilters;
  onFiltersChanged: (filters: PromptFilters) => void;
  creating: boolean;
  onCreatingChanged: (creating: boolean) => void;
  onPromptOpened: (prompt: { id: string }) => void;
}

function Filters({ filters, onFiltersChanged }: PromptsPageProps) {
  const { t } = useTranslation();
  const change = (part: PromptFilters) => onFiltersChanged({ ...filters, ...part });
  return (
    <FilterBar
      label={t("prompts.filters.label")}
      search={t("prompts.filters.search")}
      q={filters.q}
      onSearched={(q) => change({ q })}
    >
      <FilterSelect
        label={t("prompts.filters.kind")}
        anything={t("prompts.filters.allKinds")}
        value={filters.kind}
        options={(["generator", "grader"] as const).map((kind) => ({
          value: kind,
          label: t(`prompts.kinds.${kind}.many`),
        }))}
        onChosen={(kind) => change({ kind })}
      />
      <StatusFilter value={filters.status} onChosen={(status) => change({ status })} />
    </FilterBar>
  );
}

export function PromptsPage(props: PromptsPageProps) {
  const { project, filters, onCreatingChanged, onPromptOpened } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const editable = can(project.role, "prompts.edit") && project.archived_at === null;
  const { commandsOf, dialog } = usePromptCommands(slug, { onDuplicated: onPromptOpened });
  const create = (label: string) =>
    editable ? (
      <Button onClick={() => onCreatingChanged(true)}>
        <Plus aria-hidden />
        {label}
      </Button>
    ) : null;
  return (
    <ResourceList
      project={project}
      title={t("prompts.title")}
      description={t("prompts.description")}
      create={create(t("prompts.create.action"))}
      filterBar={<Filters {...props} />}
      filters={filters}
      onFiltersCleared={() => props.onFiltersChanged({})}
      query={useInfiniteQuery(promptsQuery(slug, filters))}
      columns={usePromptColumns(slug)}
      commandsOf={editable ? commandsOf : undefined}
      empty={{
        icon: <MessageSquareText />,
        title: t("prompts.empty.title"),
        body: editable ? t("prompts.empty.body") : t("prompts.empty.askEditor"),
        action: create(t("prompts.create.first")),
      }}
    >
      {dialog}
      <CreatePromptDialog
        slug={slug}
        open={props.creating && editable}
        onOpenChanged={onCreatingChanged}
        onPromptCreated={onPromptOpened}
      />
    </ResourceList>
  );
}
