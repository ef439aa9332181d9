import { useInfiniteQuery } from "@tanstack/react-query";
import { MessageSquareText, Plus, SearchX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Project, Prompt, PromptSummary } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { PageHeader } from "@/components/ui/page-header";
import { TableSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { CreatePromptDialog } from "@/components/prompt-editor/create-prompt-dialog";
import { DeletePromptDialog, RenamePromptDialog } from "./prompt-dialogs";
import { PromptFilterBar } from "./prompt-filters";
import type { PromptCommand } from "./prompt-menu";
import { PromptTable } from "./prompt-table";
import { promptsQuery, type PromptFilters } from "@/api/prompts";
import { usePromptCommands } from "./use-prompt-commands";

export interface PromptsPageProps {
  project: Project;
  filters: PromptFilters;
  onFiltersChanged: (filters: PromptFilters) => void;
  creating: boolean;
  onCreatingChanged: (creating: boolean) => void;
  onPromptOpened: (prompt: PromptSummary) => void;
}

interface ListProps extends PromptsPageProps {
  editable: boolean;
  onFiltersCleared: () => void;
}

function NoPrompts({ filters, editable, onFiltersCleared, onCreatingChanged }: ListProps) {
  const { t } = useTranslation();
  if (Object.values(filters).some((value) => value !== undefined)) {
    return (
      <EmptyState
        icon={<SearchX />}
        title={t("prompts.empty.noMatch")}
        description={t("prompts.empty.noMatchHint")}
        action={
          <Button variant="secondary" onClick={onFiltersCleared}>
            {t("prompts.empty.clear")}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={<MessageSquareText />}
      title={t("prompts.empty.title")}
      description={editable ? t("prompts.empty.body") : t("prompts.empty.askEditor")}
      action={
        editable ? (
          <Button onClick={() => onCreatingChanged(true)}>
            <Plus aria-hidden />
            {t("prompts.create.first")}
          </Button>
        ) : undefined
      }
    />
  );
}

interface Asked {
  command: PromptCommand;
  prompt: PromptSummary;
}

function PromptList(props: ListProps) {
  const { project, filters, editable, onPromptOpened } = props;
  const [asked, setAsked] = useState<Asked | null>(null);
  const list = useInfiniteQuery(promptsQuery(project.slug, filters));
  const commands = usePromptCommands(project.slug, onPromptOpened);
  if (list.isPending) {
    return <TableSkeleton rows={6} />;
  }
  if (list.isError) {
    return <ProblemState error={list.error} onRetry={() => void list.refetch()} />;
  }
  const { items, total } = list.data;
  if (items.length === 0) {
    return <NoPrompts {...props} />;
  }
  const dialog = { slug: project.slug, onClosed: () => setAsked(null) };
  return (
    <div className="grid gap-4" aria-busy={list.isPlaceholderData}>
      <PromptTable
        slug={project.slug}
        prompts={items}
        editable={editable}
        onCommand={(command, prompt) => {
          if (command === "duplicate" || command === "archive") {
            commands[command](prompt);
          } else {
            setAsked({ command, prompt });
          }
        }}
      />
      <LoadMore
        shown={items.length}
        total={total}
        hasMore={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onLoadMore={() => void list.fetchNextPage()}
      />
      {asked?.command === "rename" ? (
        <RenamePromptDialog {...dialog} prompt={asked.prompt} />
      ) : null}
      {asked?.command === "delete" ? (
        <DeletePromptDialog {...dialog} prompt={asked.prompt} />
      ) : null}
    </div>
  );
}

export function PromptsPage(props: PromptsPageProps) {
  const { project } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("prompts.title"), project.name);
  const editable = can(project.role, "prompts.edit") && project.archived_at === null;
  // The search box keeps what is being typed; clearing the filters starts it anew.
  const [generation, setGeneration] = useState(0);
  return (
    <div className="grid gap-6">
      <PageHeader
        title={t("prompts.title")}
        description={t("prompts.description")}
        actions={
          editable ? (
            <Button onClick={() => props.onCreatingChanged(true)}>
              <Plus aria-hidden />
              {t("prompts.create.action")}
            </Button>
          ) : null
        }
      />
      <PromptFilterBar
        key={generation}
        filters={props.filters}
        onFiltersChanged={props.onFiltersChanged}
      />
      <PromptList
        {...props}
        editable={editable}
        onFiltersCleared={() => {
          setGeneration(generation + 1);
          props.onFiltersChanged({});
        }}
      />
      <CreatePromptDialog
        slug={project.slug}
        open={props.creating && editable}
        onOpenChanged={props.onCreatingChanged}
        onPromptCreated={(prompt: Prompt) => props.onPromptOpened(prompt)}
      />
    </div>
  );
}
