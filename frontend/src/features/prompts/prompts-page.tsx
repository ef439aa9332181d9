import { useInfiniteQuery } from "@tanstack/react-query";
import { MessageSquareText, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Project, Prompt, PromptSummary } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { isFiltered } from "@/lib/search";
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
}

function NoPrompts({ filters, editable, onFiltersChanged, onCreatingChanged }: ListProps) {
  const { t } = useTranslation();
  if (isFiltered(filters)) {
    return <NoMatch onFiltersCleared={() => onFiltersChanged({})} />;
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
  const dialog = { slug: project.slug, onClosed: () => setAsked(null) };
  return (
    <>
      <PagedList query={list} empty={<NoPrompts {...props} />}>
        {(prompts) => (
          <PromptTable
            slug={project.slug}
            prompts={prompts}
            editable={editable}
            onCommand={(command, prompt) => {
              if (command === "duplicate" || command === "archive") {
                commands[command](prompt);
              } else {
                setAsked({ command, prompt });
              }
            }}
          />
        )}
      </PagedList>
      {asked?.command === "rename" ? (
        <RenamePromptDialog {...dialog} prompt={asked.prompt} />
      ) : null}
      {asked?.command === "delete" ? (
        <DeletePromptDialog {...dialog} prompt={asked.prompt} />
      ) : null}
    </>
  );
}

export function PromptsPage(props: PromptsPageProps) {
  const { project } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("prompts.title"), project.name);
  const editable = can(project.role, "prompts.edit") && project.archived_at === null;
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
      <PromptFilterBar filters={props.filters} onFiltersChanged={props.onFiltersChanged} />
      <PromptList {...props} editable={editable} />
      <CreatePromptDialog
        slug={project.slug}
        open={props.creating && editable}
        onOpenChanged={props.onCreatingChanged}
        onPromptCreated={(prompt: Prompt) => props.onPromptOpened(prompt)}
      />
    </div>
  );
}
