import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { VersionSummary } from "@/api/types";
import { useChange } from "@/api/use-change";
import { toast } from "@/components/ui/toast";
import { CompareDialog } from "./compare-dialog";
import { ConflictDialog } from "@/components/prompt-editor/conflict-dialog";
import type { DraftSaver, DraftState } from "@/components/prompt-editor/draft-state";
import { HistoryDrawer } from "./history-drawer";
import type { WorkbenchProps } from "./prompt-view";
import { SaveVersionDialog } from "./save-version-dialog";
import { DRAFT } from "./version-queries";

/** A conflict opens by itself until it is postponed. */
export type Overlay = "version" | "conflict-put-off";

export interface PromptOverlaysProps extends WorkbenchProps {
  state: DraftState;
  saver: DraftSaver;
  editable: boolean;
  overlay: Overlay | null;
  onOverlayChanged: (overlay: Overlay | null) => void;
}

function useRestore({ project, prompt, saver }: PromptOverlaysProps) {
  const { t } = useTranslation();
  const restore = useChange(
    "post",
    "/projects/{project}/prompts/{prompt_id}/versions/{version_id}/restore",
    { project: project.slug, prompt_id: prompt.id },
  );
  const onRestored = async ({ id, label }: VersionSummary): Promise<void> => {
    await saver.flush();
    try {
      const { version } = saver.getState();
      saver.replace(await restore.mutateAsync({ version_id: id, body: { version } }));
      toast.success(t("prompts.history.restored", { label }));
    } catch (error) {
      toast.error(problemMessage(asProblem(error)));
    }
  };
  return { restoring: restore.isPending, onRestored };
}

/** Dialogs and drawers of the prompt page. */
export function PromptOverlays(props: PromptOverlaysProps) {
  const { project, prompt, view, state, saver, overlay } = props;
  const { onViewChanged, onOverlayChanged } = props;
  const { slug } = project;
  const { restoring, onRestored } = useRestore(props);
  const common = { slug, prompt, onClosed: () => onOverlayChanged(null) };
  return (
    <>
      <HistoryDrawer
        open={view.history === true}
        onOpenChanged={() => onViewChanged({ ...view, history: undefined })}
        slug={slug}
        prompt={prompt}
        editable={props.editable}
        restoring={restoring}
        onRestored={(version) => void onRestored(version)}
        onCompared={({ id, parent_id }) =>
          onViewChanged({
            ...view,
            from: parent_id ?? id,
            to: parent_id === null ? DRAFT : id,
          })
        }
      />
      {view.from !== undefined && view.to !== undefined ? (
        <CompareDialog
          {...common}
          from={view.from}
          to={view.to}
          onSidesChanged={(from, to) => onViewChanged({ ...view, from, to })}
          onClosed={() => onViewChanged({ ...view, from: undefined, to: undefined })}
        />
      ) : null}
      {overlay === "version" ? <SaveVersionDialog {...common} /> : null}
      {overlay === null && state.phase === "conflict" && state.theirs !== null ? (
        <ConflictDialog
          {...common}
          mine={state.mine}
          theirs={state.theirs}
          onResolved={(content) => void saver.resolve(content)}
          onClosed={() => onOverlayChanged("conflict-put-off")}
        />
      ) : null}
    </>
  );
}
