import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ListChecks, Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Project, Run } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { toast } from "@/components/ui/toast";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { isFiltered } from "@/lib/search";
import { runsQuery, useActOnRun, type RunFilters } from "./queries";
import { CancelRunDialog, DeleteRunDialog, RenameRunDialog, RunAgainDialog } from "./run-dialogs";
import { RunFilterBar } from "./run-filter-bar";
import type { RunCommand } from "./run-menu";
import { RunTable } from "./run-table";

export interface RunsPageProps {
  project: Project;
  filters: RunFilters;
  onFiltersChanged: (filters: RunFilters) => void;
  onRunOpened: (runId: string) => void;
}

interface ListProps extends RunsPageProps {
  editable: boolean;
}

function NewRunLink({ slug, first = false }: { slug: string; first?: boolean }) {
  const { t } = useTranslation();
  return (
    <Button asChild>
      <Link to="/p/$slug/runs/new" params={{ slug }}>
        <Play aria-hidden />
        {first ? t("runs.empty.action") : t("runs.new.action")}
      </Link>
    </Button>
  );
}

function NoRuns({ project, filters, editable, onFiltersChanged }: ListProps) {
  const { t } = useTranslation();
  if (isFiltered(filters)) {
    return <NoMatch onFiltersCleared={() => onFiltersChanged({})} />;
  }
  return (
    <EmptyState
      icon={<ListChecks />}
      title={t("runs.empty.title")}
      description={editable ? t("runs.empty.body") : t("runs.empty.askEditor")}
      action={editable ? <NewRunLink slug={project.slug} first /> : undefined}
    />
  );
}

interface Asked {
  command: RunCommand;
  run: Run;
}

interface DialogsProps {
  slug: string;
  asked: Asked;
  onClosed: () => void;
  onRunOpened: (runId: string) => void;
}

function Dialogs({ slug, asked, onClosed, onRunOpened }: DialogsProps) {
  const props = { slug, run: asked.run, onClosed };
  switch (asked.command) {
    case "again":
      return <RunAgainDialog {...props} onRunOpened={onRunOpened} />;
    case "cancel":
      return <CancelRunDialog {...props} />;
    case "delete":
      return <DeleteRunDialog {...props} />;
    case "rename":
      return <RenameRunDialog {...props} />;
    default:
      return null;
  }
}

function RunList(props: ListProps) {
  const { project, filters, editable } = props;
  const { slug } = project;
  const [asked, setAsked] = useState<Asked | null>(null);
  const list = useInfiniteQuery(runsQuery(slug, filters));
  const act = useActOnRun(slug);
  const onCommand = (command: RunCommand, run: Run) => {
    if (command !== "pause" && command !== "resume") {
      setAsked({ command, run });
      return;
    }
    act.mutate(
      { runId: run.id, action: command },
      { onError: (error) => toast.error(problemMessage(error)) },
    );
  };
  return (
    <>
      <PagedList query={list} empty={<NoRuns {...props} />}>
        {(runs) => <RunTable slug={slug} runs={runs} editable={editable} onCommand={onCommand} />}
      </PagedList>
      {asked === null ? null : (
        <Dialogs
          slug={slug}
          asked={asked}
          onClosed={() => setAsked(null)}
          onRunOpened={props.onRunOpened}
        />
      )}
    </>
  );
}

export function RunsPage(props: RunsPageProps) {
  const { project } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("runs.title"), project.name);
  const editable = can(project.role, "runs.start") && project.archived_at === null;
  return (
    <div className="grid gap-6">
      <PageHeader
        title={t("runs.title")}
        description={t("runs.description")}
        actions={editable ? <NewRunLink slug={project.slug} /> : null}
      />
      <RunFilterBar
        slug={project.slug}
        filters={props.filters}
        onFiltersChanged={props.onFiltersChanged}
      />
      <RunList {...props} editable={editable} />
    </div>
  );
}
