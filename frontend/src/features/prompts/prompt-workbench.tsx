import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Prompt } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { UnsavedGuard } from "@/components/unsaved-guard";
import { cn } from "@/lib/cn";
import { can } from "@/lib/permissions";
import { useShortcuts } from "@/lib/shortcuts";
import {
  conversationOf,
  findOccurrences,
  type Occurrence,
  type Part,
} from "@/components/prompt-editor/content";
import { hasUnreadableTools, isDirty } from "@/components/prompt-editor/draft-state";
import { DraftWarnings } from "@/components/prompt-editor/draft-warnings";
import { PartEditors } from "@/components/prompt-editor/part-editors";
import { givenValues, PreviewPanel, type PreviewValues } from "./preview-panel";
import { PromptHeader } from "./prompt-header";
import { PromptOverlays, type Overlay } from "./prompt-overlays";
import type { WorkbenchProps } from "./prompt-view";
import { ModelChoice, TokenCount } from "@/components/prompt-editor/token-counter";
import { useDraft } from "@/components/prompt-editor/use-draft";
import { RESOURCE_COMMANDS } from "@/components/listing/use-resource-commands";
import { usePromptCommands } from "./use-prompt-commands";
import { VariableChips } from "@/components/prompt-editor/variable-chips";

/** Fills the window below the header, with a usable minimum. */
const EDITOR_HEIGHT = "h-[max(20rem,calc(100dvh-24rem))]";

/** Variables without a value; empty while no value at all is given. */
function missingNames(names: readonly string[], values: PreviewValues): ReadonlySet<string> {
  const given = givenValues(values);
  return Object.keys(given).length === 0
    ? new Set()
    : new Set(names.filter((name) => !Object.hasOwn(given, name)));
}

/** Whether nothing was written yet, so that no warnings are shown. */
function isUntouched(prompt: Prompt): boolean {
  return prompt.latest === null && prompt.draft.version === 1;
}

export function PromptWorkbench(props: WorkbenchProps) {
  const { project, prompt, view, onViewChanged } = props;
  const { t } = useTranslation();
  const { slug } = project;
  const { state, saver } = useDraft(slug, prompt);
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [shown, setShown] = useState<Occurrence>();
  const [values, setValues] = useState<PreviewValues>({});
  const { commandOf, dialog } = usePromptCommands(slug, {
    onDuplicated: props.onPromptOpened,
    onDeleted: props.onLeft,
  });
  const allowed = can(project.role, "prompts.edit") && project.archived_at === null;
  const editable = allowed && prompt.archived_at === null;
  const content = state.mine;
  const occurrences = useMemo(() => findOccurrences(content), [content]);
  const names = useMemo(() => [...occurrences.keys()], [occurrences]);
  const key = names.join("\n");
  const missing = useMemo(
    () => missingNames(key === "" ? [] : key.split("\n"), view.preview ? values : {}),
    [key, values, view.preview],
  );
  const conversation = useMemo(() => conversationOf(content), [content]);
  const flush = useCallback(() => void saver.flush(), [saver]);
  const showPart = (part: Part) =>
    onViewChanged({ ...view, part: part === "text" ? undefined : part });
  const togglePreview = () => onViewChanged({ ...view, preview: view.preview ? undefined : true });
  const openHistory = () => onViewChanged({ ...view, history: true });
  const saveVersion = () => void saver.flush().then(() => setOverlay("version"));
  const commands = RESOURCE_COMMANDS.map((name) => {
    const command = commandOf(name, prompt);
    // Duplicating and archiving save the draft first.
    return name === "duplicate" || name === "archive"
      ? { ...command, onChosen: () => void saver.flush().then(command.onChosen) }
      : command;
  });
  useShortcuts({
    "mod+s": flush,
    "v n": editable ? saveVersion : () => undefined,
    "v h": openHistory,
    "v p": togglePreview,
  });
  const stuck = ["offline", "conflict", "failed"].includes(state.phase);
  return (
    <div className="grid min-w-0 gap-5">
      <PromptHeader
        slug={slug}
        prompt={prompt}
        allowed={allowed}
        editable={editable}
        state={state}
        previewing={view.preview === true}
        onPreviewToggled={togglePreview}
        onHistoryOpened={openHistory}
        onVersionWanted={saveVersion}
        commands={commands}
        onRetryWanted={() => saver.retry()}
        onConflictOpened={() => setOverlay(null)}
      />
      {editable ? null : (
        <Alert tone="info" live={false}>
          {allowed ? t("prompts.archivedHint") : t("prompts.readOnly")}
        </Alert>
      )}
      <VariableChips
        occurrences={occurrences}
        syntax={content.syntax}
        editable={editable}
        onSyntaxChanged={(syntax) => saver.edit({ ...content, syntax })}
        onOccurrenceWanted={(occurrence) => {
          setShown({ ...occurrence });
          showPart(occurrence.part);
        }}
      />
      <div
        className={cn(
          "grid min-w-0 gap-5",
          view.preview && "xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]",
        )}
      >
        <div className="grid min-w-0 content-start gap-4">
          <PartEditors
            height={EDITOR_HEIGHT}
            part={view.part ?? "text"}
            onPartChanged={showPart}
            content={content}
            editable={editable}
            missing={missing}
            shown={shown}
            tokens={
              <>
                <TokenCount slug={slug} modelId={view.model} conversation={conversation} />
                <ModelChoice
                  slug={slug}
                  modelId={view.model}
                  onModelChosen={(model) => onViewChanged({ ...view, model })}
                />
              </>
            }
            onChanged={(next) => saver.edit(next)}
            onBlurred={flush}
          />
          <DraftWarnings
            warnings={isUntouched(prompt) ? [] : prompt.draft.warnings}
            part={view.part ?? "text"}
            onPartWanted={showPart}
          />
        </div>
        {view.preview ? (
          <PreviewPanel
            slug={slug}
            promptId={prompt.id}
            draftVersion={state.version}
            syntax={content.syntax}
            variables={names}
            values={values}
            modelId={view.model}
            stale={isDirty(state)}
            onValuesChanged={setValues}
            onClosed={togglePreview}
          />
        ) : null}
      </div>
      <PromptOverlays
        {...props}
        state={state}
        saver={saver}
        editable={editable}
        overlay={overlay}
        onOverlayChanged={setOverlay}
      />
      {dialog}
      <UnsavedGuard
        dirty={(stuck && isDirty(state)) || hasUnreadableTools(state)}
        closing={isDirty(state)}
      />
    </div>
  );
}
