import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { datasetChoicesQuery } from "@/api/case-choices";
import { promptQuery } from "@/api/prompts";
import type { Model, RunDetail } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { ProblemState } from "@/components/problem-state";
import { CreatePromptDialog } from "@/components/prompt-editor/create-prompt-dialog";
import { can } from "@/lib/permissions";
import { useShortcuts } from "@/lib/shortcuts";
import { AnswerPanel } from "./answer-panel";
import { modelColumns } from "./arrange";
import { ArrangeDialog } from "./arrange-dialog";
import type { Started } from "./example-start";
import { FirstPrompt } from "./first-prompt";
import { GraderPanel } from "./grader/grader-panel";
import { useGraderBench } from "./grader/use-grader-bench";
import { LoadedSide, SideSkeleton, usePromptId } from "./loaded-side";
import { Panels } from "./panels";
import { PastSide } from "./past-side";
import { PromptSwitcher } from "./prompt-switcher";
import { modeOfColumns, nextMetric, rearrange, started } from "./session";
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
  onPromptChosen: (promptId: string) => void;
  /** The text of an earlier run is the draft again; the session is that of the run. */
  onRestored: (session: Session) => void;
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
  const prompt = useQuery({ ...promptQuery(slug, promptId ?? ""), enabled: promptId !== null });
  const bench = useGraderBench(slug, prompt.data, models);
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
    session,
    dataset,
    models,
    run,
    allowed,
    layout,
    onSessionChanged: setSession,
    onPromptChosen: props.onPromptChosen,
    onCreateWanted: () => setCreating(true),
    onRunStarted,
    onRunOpened: props.onRunOpened,
    onEditing: layout.edit,
    onEdited: layout.look,
    bench,
  };
  return (
    <>
      <Panels
        {...layout}
        left={
          promptId !== null && isHistorical && run !== null ? (
            <PastSide
              slug={slug}
              promptId={promptId}
              run={run}
              editable={allowed}
              switcher={
                <PromptSwitcher
                  slug={slug}
                  promptId={promptId}
                  canCreate={allowed}
                  onPromptChosen={props.onPromptChosen}
                  onCreateWanted={side.onCreateWanted}
                />
              }
              onRestored={() => props.onRestored({ ...session, promptId })}
            />
          ) : promptId !== null ? (
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
          bench !== null ? (
            <GraderPanel bench={bench} />
          ) : (
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
                isHistorical={isHistorical}
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
                datasetName={dataset?.name ?? null}
                onSessionChanged={setSession}
                onViewChanged={onViewChanged}
                onFiltersCleared={clearFilters}
                onLatestWanted={props.onLatestWanted}
              />
            </>
          )
        }
      />
      <CreatePromptDialog
        slug={slug}
        open={isCreating}
        onOpenChanged={setCreating}
        onPromptCreated={(prompt) => {
          setCreating(false);
          props.onPromptChosen(prompt.id);
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
