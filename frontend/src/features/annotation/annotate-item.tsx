import { useEffect, useRef, useState } from "react";
import type { AnnotationAnswer, AnnotationItem, AnnotationQueue } from "@/api/types";
import { useAnnotationKeys, type AnnotationCommand } from "./annotation-keys";
import { CaseText, OutputText } from "./annotation-text";
import { answered, bodyOf, draftFor, isComplete } from "./answer-draft";
import { AnswerPanel } from "./answer-panel";
import { SkipDialog } from "./skip-dialog";
import type { TextForm } from "./text-forms";

export interface AnnotateItemProps {
  queue: AnnotationQueue;
  item: AnnotationItem;
  form: TextForm;
  onFormChanged: (form: TextForm) => void;
  isSending: boolean;
  /** Error of the last attempt to skip. */
  skipProblem: string | null;
  canUndo: boolean;
  onUndone: () => void;
  onScored: (body: AnnotationAnswer) => void;
  onSkipped: (reason: string) => void;
}

/** One output and its scoring form. */
export function AnnotateItem(props: AnnotateItemProps) {
  const { queue, item, form, isSending, onFormChanged } = props;
  const [draft, setDraft] = useState(() => draftFor(item));
  const [isSkipping, setSkipping] = useState(false);
  const comment = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    window.scrollTo({ top: 0 });
    document.querySelector<HTMLElement>("[data-annotation-start]")?.focus({ preventScroll: true });
  }, []);

  const submit = () => {
    if (isComplete(queue, draft) && !isSending) {
      props.onScored(bodyOf(queue, draft));
    }
  };
  const move = (step: 1 | -1) =>
    setDraft({
      ...draft,
      active: Math.max(0, Math.min(draft.active + step, (queue.criteria?.length ?? 1) - 1)),
    });
  const commands: Record<AnnotationCommand, () => void> = {
    submit,
    comment: () => comment.current?.focus(),
    skip: () => setSkipping(true),
    undo: () => (props.canUndo ? props.onUndone() : undefined),
    form: () => onFormChanged(form === "plain" ? "markdown" : "plain"),
    up: () => move(-1),
    down: () => move(1),
  };
  useAnnotationKeys({
    queue,
    onCommand: (command) => commands[command](),
    onAnswered: (answer) => setDraft(answered(queue, draft, answer)),
  });
  return (
    <>
      <div className="grid items-start gap-6 pb-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <OutputText item={item} form={form} onFormChanged={onFormChanged} />
        <CaseText item={item} />
      </div>
      <AnswerPanel
        queue={queue}
        draft={draft}
        comment={comment}
        isSending={isSending}
        canUndo={props.canUndo}
        onDraftChanged={setDraft}
        onSubmitted={submit}
        onSkipped={() => setSkipping(true)}
        onUndone={props.onUndone}
      />
      {isSkipping ? (
        <SkipDialog
          isSending={isSending}
          message={props.skipProblem}
          onClosed={() => setSkipping(false)}
          onSkipped={props.onSkipped}
        />
      ) : null}
    </>
  );
}
