import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { datasetChoicesQuery } from "@/api/case-choices";
import { promptQuery, promptsQuery } from "@/api/prompts";
import type { Model, RunDetail } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { ProblemState } from "@/components/problem-state";
import { CreatePromptDialog } from "@/components/prompt-editor/create-prompt-dialog";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { useShortcuts } from "@/lib/shortcuts";
import { AnswerPanel } from "./answer-panel";
import { modelColumns } from "./arrange";
import { ArrangeDialog } from "./arrange-dialog";
import type { Started } from "./example-start";
import { FirstPrompt } from "./first-prompt";
import { Panels } from "./panels";
import { PromptSide, type PromptSideProps } from "./prompt-side";
import { PromptSwitcher } from "./prompt-switcher";
import { modeOfColumns, nextMetric, rearrange, started, withPrompt } from "./session";
import type { Column, ColumnSettings, Mode, Session } from "./session";
import { writeSession } from "./session-store";
import { Toolbar } from "./toolbar";
import { useLayout } from "./use-layout";
import { withoutFilters, type PlaygroundPageProps } from "./view";

export interface WorkspaceProps extends PlaygroundPageProps {
  models: readonly Model[];
  run: RunDetail | null;
  /** An earlier run is shown: the session is not stored until it is run again. */
  isHistorical: boolean;
  initial: () => Session;
  onRunStarted: (run: RunDetail) => void;
  onRunOpened: (runId: string) => void;
  onLatestWanted: () => void;
}

type SideProps = Omit<PromptSideProps, "prompt"> & { promptId: string | null };

/** The last used prompt, else the last changed one, else null. */
function usePromptId(slug: string, session: Session) {
  const prompts = useInfiniteQuery({
    ...promptsQuery(slug, { kind: "generator" }),
    enabled: session.promptId === null,
  });
  return {
    promptId: session.promptId ?? prompts.data?.items[0]?.id ?? null,
    prompts,
  };
}

function SideSkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-4 p-5">
        <Skeleton className="h-7 w-56" />
        <Skeleton className="h-5 w-72" />
        <Skeleton className="h-96 rounded-lg" />
      </div>
    </LoadingStatus>
  );
}

function LoadedSide({ promptId, ...props }: SideProps & { promptId: string }) {
  const { project, onPromptChosen, onCreateWanted } = props;
  const prompt = useQuery(promptQuery(project.slug, promptId));
  useDocumentTitle(prompt.data?.name, project.name);
  if (prompt.data !== undefined) {
    return <PromptSide key={promptId} {...props} prompt={prompt.data} />;
  }
  if (prompt.isPending) {
    return <SideSkeleton />;
  }
  return (
    <div className="grid gap-4 p-5">
      <PromptSwitcher
        slug={project.slug}
        promptId={promptId}
        canCreate={props.allowed}
        onPromptChosen={onPromptChosen}
        onCreateWanted={onCreateWanted}
      />
      <ProblemState error={prompt.error} onRetry={() => void prompt.refetch()} />
    </div>
  );
}

/** Both panels and their shared state. */
export function Workspace(props: WorkspaceProps) {
  const { project, view, models, run, isHistorical, onViewChanged } = props;
  const { t } = useTranslation();
  const { slug } = project;
  const [session, setSession] = useState(props.initial);
  const [isCreating, setCreating] = useState(false);
  const [arranging, setArranging] = useState<Exclude<Mode, "models"> | null>(null);
  const [clearings, setClearings] = useState(0);
  const layout = useLayout();
  const datasetChoices = useQuery(datasetChoicesQuery(slug));
  const datasets = datasetChoices.data ?? [];
  const { promptId, prompts } = usePromptId(slug, session);
  const allowed = can(project.role, "runs.start") && project.archived_at === null;
  const metric = view.metric ?? "grade";
  const mode = view.mode ?? modeOfColumns(session.columns);
  const dataset = datasets.find(({ id }) => id === session.datasetId) ?? null;
  useEffect(() => {
    if (!isHistorical) {
      writeSession(slug, session);
    }
  }, [slug, session, isHistorical]);
  useShortcuts({ m: () => onViewChanged({ ...view, metric: nextMetric(metric) }) });
  const choosePrompt = (chosen: string) => {
    setSession((known) => withPrompt(known, chosen));
    onViewChanged({ ...view, prompt: undefined });
  };
  const begin = ({ columns, ...started }: Started) =>
    setSession((known) => ({
      ...known,
      ...started,
      columns: columns.length > 0 ? columns : known.columns,
    }));
  const clearFilters = () => {
    setClearings(clearings + 1);
    onViewChanged(withoutFilters(view));
  };
  const arrange = (mode: Mode, wanted: readonly ColumnSettings[]) => {
    const columns: Column[] = rearrange(session.columns, wanted);
    setSession({ ...session, columns });
    setArranging(null);
    onViewChanged({ ...view, mode });
  };
  const onRunStarted = (begun: RunDetail) => {
    const next = started({ ...session, promptId }, begun.id);
    layout.look();
    setSession(next);
    writeSession(slug, next);
    props.onRunStarted(begun);
  };
  const side = {
    project,
    promptId,
    session,
    dataset,
    models,
    run,
    allowed,
    layout,
    onSessionChanged: setSession,
    onPromptChosen: choosePrompt,
    onCreateWanted: () => setCreating(true),
    onRunStarted,
    onRunOpened: props.onRunOpened,
    onEditing: layout.edit,
    onEdited: layout.look,
  };
  return (
    <>
      <Panels
        {...layout}
        left={
          promptId !== null ? (
            <LoadedSide {...side} promptId={promptId} />
          ) : prompts.isPending ? (
            <SideSkeleton />
          ) : prompts.isError ? (
            <div className="p-5">
              <ProblemState error={prompts.error} onRetry={() => void prompts.refetch()} />
            </div>
          ) : (
            <FirstPrompt
              project={project}
              models={models}
              allowed={allowed}
              onCreateWanted={side.onCreateWanted}
              onStarted={begin}
            />
          )
        }
        right={
          <>
            <h2 className="sr-only">{t("playground.answers")}</h2>
            <Toolbar
              slug={slug}
              session={{ ...session, promptId }}
              models={models}
              datasets={datasetChoices.data}
              runId={run?.id ?? null}
              isSimulated={run?.is_simulated ?? false}
              metric={metric}
              mode={mode}
              view={view}
              allowed={allowed}
              canUpload={can(project.role, "datasets.edit")}
              clearings={clearings}
              shareAddress={props.shareAddress}
              onSessionChanged={setSession}
              onViewChanged={onViewChanged}
              onFiltersCleared={clearFilters}
              onModeWanted={(mode) =>
                mode === "models"
                  ? arrange(mode, modelColumns(session.columns))
                  : setArranging(mode)
              }
              onRunOpened={props.onRunOpened}
            />
            <LoadError queries={[datasetChoices]} />
            <AnswerPanel
              project={project}
              session={session}
              run={run}
              metric={metric}
              versionsOf={mode === "versions" ? promptId : null}
              view={view}
              isHistorical={isHistorical}
              allowed={allowed}
              hasModels={models.some((model) => model.is_enabled)}
              onSessionChanged={setSession}
              onViewChanged={onViewChanged}
              onFiltersCleared={clearFilters}
              onLatestWanted={props.onLatestWanted}
            />
          </>
        }
      />
      <CreatePromptDialog
        slug={slug}
        open={isCreating}
        onOpenChanged={setCreating}
        onPromptCreated={(prompt) => {
          setCreating(false);
          choosePrompt(prompt.id);
        }}
      />
      {arranging === null || promptId === null ? null : (
        <ArrangeDialog
          slug={slug}
          mode={arranging}
          promptId={promptId}
          columns={session.columns}
          models={models}
          onArranged={(columns) => arrange(arranging, columns)}
          onClosed={() => setArranging(null)}
        />
      )}
    </>
  );
}
