import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isFinished } from "@/api/runs";
import type { DatasetSummary, Model, Project, Prompt, RunDetail } from "@/api/types";
import { isDirty } from "@/components/prompt-editor/draft-state";
import { useDraft } from "@/components/prompt-editor/use-draft";
import { useSettledRequest } from "@/lib/hooks";
import { EditorPanel } from "./editor-panel";
import { focusPlace } from "./focus-place";
import { LargeRunDialog } from "./large-run-dialog";
import type { GraderBench } from "./grader/use-grader-bench";
import type { LayoutProps } from "./panels";
import { checkQuery, FIRST_ROWS } from "./run-guard";
import { RunRefusalDialog } from "./run-refusal-dialog";
import { requestOf } from "./run-request";
import type { Session } from "./session";
import { useRunFlow } from "./use-run-flow";
import { useVariables } from "./use-variables";

export interface PromptSideProps {
  project: Project;
  prompt: Prompt;
  session: Session;
  dataset: DatasetSummary | null;
  models: readonly Model[];
  run: RunDetail | null;
  /** Whether the role may run and edit. */
  allowed: boolean;
  layout: LayoutProps;
  onSessionChanged: (session: Session) => void;
  onPromptChosen: (promptId: string) => void;
  onCreateWanted: () => void;
  onRunStarted: (run: RunDetail) => void;
  onRunOpened: (runId: string) => void;
  onEditing: () => void;
  onEdited: () => void;
  /** Set while the prompt is a grader: it is tried on an answer instead of run. */
  bench: GraderBench | null;
}

/** Run shortcut for the whole page; captured before the editor inserts a newline. */
function useRunKey(onRunWanted: () => void) {
  const latest = useRef(onRunWanted);
  useEffect(() => {
    latest.current = onRunWanted;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isInDialog =
        event.target instanceof Element &&
        event.target.closest('[role="dialog"], [role="menu"]') !== null;
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isInDialog) {
        event.preventDefault();
        event.stopPropagation();
        latest.current();
      }
    };
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, []);
}

function useRunBlocker(
  { project, prompt, models, session, allowed, bench }: PromptSideProps,
  text: string,
) {
  const { t } = useTranslation();
  if (!allowed) {
    return project.archived_at === null
      ? t("playground.obstacle.role")
      : t("playground.obstacle.archived");
  }
  if (prompt.archived_at !== null) {
    return t("playground.obstacle.promptArchived");
  }
  if (!models.some((model) => model.is_enabled) || session.columns.length === 0) {
    return t("playground.obstacle.models");
  }
  return text.trim() === "" ? t("playground.obstacle.empty") : (bench?.obstacle ?? null);
}

/** Editor side of the page: prompt, saving and starting runs. */
export function PromptSide(props: PromptSideProps) {
  const { project, prompt, session, run, bench, onRunStarted } = props;
  const { slug } = project;
  const draft = useDraft(slug, prompt);
  const content = draft.state.mine;
  const variables = useVariables(slug, content, session);
  const obstacle = useRunBlocker(props, content.text);
  const saveDraft = async () => {
    await draft.saver.flush();
    return !isDirty(draft.saver.getState());
  };
  const flow = useRunFlow({
    slug,
    session: { ...session, promptId: prompt.id },
    variables: variables.names,
    saveDraft,
    onStarted: onRunStarted,
  });
  const isBusy = bench === null && run !== null && !isFinished(run.state);
  const start = () => {
    if (obstacle !== null || isBusy) {
      return;
    }
    void (bench === null ? flow.run() : saveDraft().then((isSaved) => isSaved && bench.ask(false)));
  };
  useRunKey(start);
  const request = useSettledRequest(
    obstacle === null && !isBusy && bench === null
      ? requestOf({ ...session, promptId: prompt.id }, variables.names)
      : null,
  );
  const estimate = useQuery(checkQuery(slug, request)).data?.estimate ?? null;
  return (
    <>
      <EditorPanel
        {...props}
        draft={draft}
        variables={variables}
        isStarting={flow.isStarting || (bench?.trial.isFetching ?? false)}
        obstacle={obstacle}
        estimate={request === null ? null : estimate}
        onRunWanted={start}
      />
      {flow.large === null ? null : (
        <LargeRunDialog
          estimate={flow.large}
          canTry={(props.dataset?.case_count ?? 0) > FIRST_ROWS}
          onConfirmed={flow.runLarge}
          onClosed={flow.dismissLarge}
        />
      )}
      {flow.refusal === null ? null : (
        <RunRefusalDialog
          slug={slug}
          refusal={flow.refusal}
          onPlaceWanted={focusPlace}
          onRunWanted={(runId) => {
            flow.dismiss();
            props.onRunOpened(runId);
          }}
          onClosed={flow.dismiss}
        />
      )}
    </>
  );
}
