import { ArrowRight, SkipForward, Undo2 } from "lucide-react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { AnnotationQueue } from "@/api/types";
import { AnswerControl } from "@/components/human-score/answer-control";
import { LONGEST_COMMENT } from "@/components/human-score/own-score";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { Textarea } from "@/components/ui/textarea";
import { cn } from "@/lib/cn";
import { isComplete, type Draft } from "./answer-draft";

export interface AnswerPanelProps {
  queue: AnnotationQueue;
  draft: Draft;
  comment: RefObject<HTMLTextAreaElement | null>;
  isSending: boolean;
  canUndo: boolean;
  onDraftChanged: (draft: Draft) => void;
  onSubmitted: () => void;
  onSkipped: () => void;
  onUndone: () => void;
}

function Criteria({ queue, draft, onDraftChanged }: AnswerPanelProps) {
  const { t } = useTranslation();
  if (queue.criteria === null) {
    return (
      <AnswerControl
        size="lg"
        label={t("annotation.work.score")}
        question={queue.question}
        answer={draft.answer}
        onAnswered={(answer) => onDraftChanged({ ...draft, answer })}
      />
    );
  }
  return (
    <ul className="grid gap-2">
      {queue.criteria.map(({ name, description }, index) => (
        <li
          key={name}
          className={cn(
            "flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-lg border px-3 py-2",
            index === draft.active ? "border-accent-solid" : "border-border",
          )}
          onFocus={() => onDraftChanged({ ...draft, active: index })}
        >
          <span className="grid min-w-0 flex-1 basis-48">
            <span className="text-sm font-medium wrap-anywhere">{name}</span>
            {description === "" ? null : (
              <span className="text-xs text-ink-muted">{description}</span>
            )}
          </span>
          <AnswerControl
            label={name}
            question={queue.question}
            answer={draft.criteria[name] ?? null}
            onAnswered={(answer) =>
              onDraftChanged({ ...draft, criteria: { ...draft.criteria, [name]: answer } })
            }
          />
        </li>
      ))}
    </ul>
  );
}

function AnswerActions(props: AnswerPanelProps) {
  const { queue, draft, isSending, canUndo } = props;
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button variant="ghost" disabled={!canUndo} onClick={props.onUndone}>
        <Undo2 aria-hidden />
        {t("annotation.work.undo")}
        <Kbd keys="u" />
      </Button>
      <Button variant="ghost" onClick={props.onSkipped}>
        <SkipForward aria-hidden />
        {t("annotation.work.skip")}
        <Kbd keys="s" />
      </Button>
      <Button
        className="ml-auto"
        loading={isSending}
        disabled={!isComplete(queue, draft)}
        onClick={props.onSubmitted}
      >
        {t("annotation.work.submit")}
        <ArrowRight aria-hidden />
      </Button>
    </div>
  );
}

/** Scoring form; stays in view however long the answer is. */
export function AnswerPanel(props: AnswerPanelProps) {
  const { queue, draft, comment, onDraftChanged, onSubmitted } = props;
  const { t } = useTranslation();
  const answerKeys =
    queue.question === "rating" ? "1 2 3 4 5" : queue.criteria === null ? "p f ↑ ↓" : "p f";
  return (
    <section
      aria-label={t("annotation.work.panel")}
      className="sticky bottom-0 z-10 -mx-4 grid gap-3 border-t border-border bg-raised px-4 py-4 shadow-lg sm:mx-0 sm:rounded-t-xl sm:border-x"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-sm font-semibold">
          {t(`annotation.work.questions.${queue.question}`)}
        </h2>
        <span className="flex items-center gap-3 text-xs text-ink-muted">
          <Kbd keys={answerKeys} />
          <span className="flex items-center gap-1.5">
            <Kbd keys="Enter" /> {t("annotation.work.submitHint")}
          </span>
        </span>
      </div>
      <Criteria {...props} />
      <label className="grid gap-1.5">
        <span className="flex items-center gap-2 text-xs font-medium text-ink-muted">
          {t("humanScore.comment")} <Kbd keys="c" />
        </span>
        <Textarea
          ref={comment}
          rows={1}
          className="min-h-10"
          maxLength={LONGEST_COMMENT}
          value={draft.comment}
          onChange={(event) => onDraftChanged({ ...draft, comment: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === "Escape") {
              event.currentTarget.blur();
            } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              onSubmitted();
            }
          }}
        />
      </label>
      <AnswerActions {...props} />
    </section>
  );
}
