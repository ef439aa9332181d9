import { useMemo, useState, type FocusEvent } from "react";
import { useTranslation } from "react-i18next";
import { isFinished } from "@/api/runs";
import type { DatasetSummary, Model, Project, Prompt, RunDetail, RunEstimate } from "@/api/types";
import { ConflictDialog } from "@/components/prompt-editor/conflict-dialog";
import { conversationOf, type Occurrence, type Part } from "@/components/prompt-editor/content";
import { hasUnreadableTools, isDirty } from "@/components/prompt-editor/draft-state";
import { DraftWarnings } from "@/components/prompt-editor/draft-warnings";
import { PartEditors } from "@/components/prompt-editor/part-editors";
import { TokenCount } from "@/components/prompt-editor/token-counter";
import type { Draft } from "@/components/prompt-editor/use-draft";
import { VariableChips } from "@/components/prompt-editor/variable-chips";
import { UnsavedGuard } from "@/components/unsaved-guard";
import { EstimateLine } from "./estimate-line";
import { GraderHelp } from "./grader/grader-help";
import { graderTemplate } from "./grader/template";
import { InputSource } from "./input-source";
import { LayoutToggle, type LayoutProps } from "./panels";
import { ParametersDrawer } from "./parameters-drawer";
import { PromptBar } from "./prompt-bar";
import { PromptSwitcher } from "./prompt-switcher";
import { RunButton } from "./run-button";
import type { Session } from "./session";
import type { useVariables } from "./use-variables";

const PARTS: readonly Part[] = ["text", "system", "few_shots", "tools"];
/** Fills the window, with room below the last line for the overlaid button. */
const EDITOR_HEIGHT = "h-[max(15rem,calc(100dvh-29.5rem))] [&_.cm-content]:pb-20";
const NONE: ReadonlySet<string> = new Set();
const STUCK = ["offline", "conflict", "failed"];

export interface EditorPanelProps {
  project: Project;
  prompt: Prompt;
  draft: Draft;
  variables: ReturnType<typeof useVariables>;
  session: Session;
  dataset: DatasetSummary | null;
  models: readonly Model[];
  run: RunDetail | null;
  allowed: boolean;
  isStarting: boolean;
  obstacle: string | null;
  estimate: RunEstimate | null;
  layout: LayoutProps;
  onSessionChanged: (session: Session) => void;
  onPromptChosen: (promptId: string) => void;
  onCreateWanted: () => void;
  onRunWanted: () => void;
  onEditing: () => void;
  onEdited: () => void;
}

/** Prompt editor, variables, inputs and the run button. */
export function EditorPanel(props: EditorPanelProps) {
  const { project, prompt, draft, variables, session, run, allowed, onSessionChanged } = props;
  const { t } = useTranslation();
  const { slug } = project;
  const { state, saver } = draft;
  const [part, setPart] = useState<Part>("text");
  const [shown, setShown] = useState<Occurrence>();
  const [overlay, setOverlay] = useState<"parameters" | "later" | null>(null);
  const editable = allowed && prompt.archived_at === null;
  const content = state.mine;
  const isGrader = prompt.kind === "grader";
  // The variables of a grader do not come from the dataset.
  const missing = isGrader ? NONE : variables.missing;
  const conversation = useMemo(() => conversationOf(content), [content]);
  const flush = () => void saver.flush();
  const onBlur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) {
      props.onEdited();
    }
  };
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4 p-4 lg:p-5">
      <PromptBar
        slug={slug}
        prompt={prompt}
        editable={editable}
        state={state}
        switcher={
          <PromptSwitcher
            slug={slug}
            promptId={prompt.id}
            canCreate={allowed}
            onPromptChosen={(promptId) =>
              void saver.flush().then(() => props.onPromptChosen(promptId))
            }
            onCreateWanted={props.onCreateWanted}
          />
        }
        layoutToggle={<LayoutToggle {...props.layout} />}
        onParametersWanted={() => setOverlay("parameters")}
        onRetryWanted={() => saver.retry()}
        onConflictOpened={() => setOverlay(null)}
      />
      <div className="min-w-0" onBlur={onBlur}>
        <div
          id="playground-editor"
          className="min-w-0 [&_[role=tabpanel]]:pt-3"
          onFocus={(event) => {
            if (event.target.closest(".cm-editor") !== null) {
              props.onEditing();
            }
          }}
        >
          <PartEditors
            parts={PARTS}
            height={EDITOR_HEIGHT}
            part={part}
            onPartChanged={setPart}
            content={content}
            editable={editable}
            missing={missing}
            shown={shown}
            tokens={
              <TokenCount
                slug={slug}
                modelId={session.columns[0]?.modelId}
                conversation={conversation}
              />
            }
            onChanged={(next) => saver.edit(next)}
            onBlurred={flush}
          />
        </div>
        <div className="sticky bottom-4 z-10 h-0 -translate-y-20">
          <div className="absolute right-4 bottom-0">
            <RunButton
              slug={slug}
              active={isGrader || run === null || isFinished(run.state) ? null : run}
              label={t(isGrader ? "playground.graderBench.action" : "playground.run.action")}
              isStarting={props.isStarting}
              obstacle={props.obstacle}
              onRunWanted={props.onRunWanted}
            />
          </div>
        </div>
      </div>
      {props.estimate === null ? null : <EstimateLine estimate={props.estimate} />}
      <DraftWarnings
        warnings={prompt.latest === null && prompt.draft.version === 1 ? [] : prompt.draft.warnings}
        part={part}
        onPartWanted={setPart}
      />
      <VariableChips
        occurrences={variables.occurrences}
        syntax={content.syntax}
        editable={editable}
        missing={missing}
        onSyntaxChanged={(syntax) => saver.edit({ ...content, syntax })}
        onOccurrenceWanted={(occurrence) => {
          setShown({ ...occurrence });
          setPart(occurrence.part);
        }}
      />
      {isGrader ? (
        <GraderHelp
          syntax={content.syntax}
          used={variables.names}
          onTemplateWanted={
            editable && content.text.trim() === ""
              ? () => saver.edit({ ...content, text: graderTemplate(content.syntax) })
              : null
          }
        />
      ) : (
        <InputSource
          slug={slug}
          dataset={props.dataset}
          variables={variables.names}
          entered={session}
          editable={allowed}
          onEnteredChanged={({ inputs, expected }) =>
            onSessionChanged({ ...session, inputs, expected })
          }
        />
      )}
      {overlay === "parameters" ? (
        <ParametersDrawer
          slug={slug}
          columns={session.columns}
          models={props.models}
          onColumnsChanged={(columns) => onSessionChanged({ ...session, columns })}
          onClosed={() => setOverlay(null)}
        />
      ) : null}
      {state.phase === "conflict" && state.theirs !== null && overlay === null ? (
        <ConflictDialog
          mine={state.mine}
          theirs={state.theirs}
          onResolved={(chosen) => void saver.resolve(chosen)}
          onClosed={() => setOverlay("later")}
        />
      ) : null}
      <UnsavedGuard
        dirty={(STUCK.includes(state.phase) && isDirty(state)) || hasUnreadableTools(state)}
        closing={isDirty(state)}
      />
    </div>
  );
}
