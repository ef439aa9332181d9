import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { AnnotationItem, AnnotationQueue } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { AnnotateItem } from "./annotate-item";
import { NothingToScore } from "./nothing-to-score";
import { ITEM, stepOptions, stepQuery } from "./step-queries";
import type { TextForm } from "./text-forms";

/** Announces each new output to screen readers. */
function Announcement({ queue, item }: { queue: AnnotationQueue; item: AnnotationItem | null }) {
  const { t } = useTranslation();
  const { my_answers, left_for_me } = queue.progress;
  return (
    <p role="status" className="sr-only">
      {item === null
        ? t("annotation.announce.done")
        : t("annotation.announce.next", { number: my_answers + 1, left: left_for_me })}
    </p>
  );
}

export interface AnnotationWorkProps {
  slug: string;
  queueId: string;
  form: TextForm;
  onFormChanged: (form: TextForm) => void;
  /** Link to the results, shown when the queue is done. */
  results: ReactNode;
}

/** Shows the user's queue items one after the other. */
export function AnnotationWork(props: AnnotationWorkProps) {
  const { slug, queueId } = props;
  const { t } = useTranslation();
  // Items scored or skipped in this visit, in order.
  const [done, setDone] = useState<readonly string[]>([]);
  const step = useQuery(stepQuery(slug, queueId));
  const place = { project: slug, queue_id: queueId };
  const options = stepOptions(slug, queueId);
  const score = useChange("put", `${ITEM}/score`, place, options);
  const skip = useChange("post", `${ITEM}/skip`, place, options);
  const undo = useChange("post", `${ITEM}/undo`, place, options);
  if (step.isPending) {
    return <FormSkeleton fields={4} />;
  }
  if (step.isError) {
    return <ProblemState error={step.error} onRetry={() => void step.refetch()} />;
  }
  const last = done.at(-1);
  const onUndone = () => {
    if (last !== undefined && !undo.isPending) {
      undo.mutate(
        { item_id: last },
        {
          onSuccess: () => setDone(done.slice(0, -1)),
          onError: (error) => toast.error(problemMessage(error)),
        },
      );
    }
  };
  const { item, queue } = step.data;
  if (item === null) {
    const isBusy = queue.progress.answers < queue.progress.wanted_answers;
    return (
      <>
        <Announcement queue={queue} item={null} />
        <NothingToScore
          reason={isBusy ? "busy" : "done"}
          action={
            <span className="flex flex-wrap justify-center gap-2">
              {last === undefined ? null : (
                <Button variant="ghost" loading={undo.isPending} onClick={onUndone}>
                  {t("annotation.work.undoLast")}
                </Button>
              )}
              {isBusy ? (
                <Button
                  variant="secondary"
                  loading={step.isFetching}
                  onClick={() => void step.refetch()}
                >
                  {t("annotation.work.lookAgain")}
                </Button>
              ) : null}
              {props.results}
            </span>
          }
        />
      </>
    );
  }
  const onDone = () => {
    skip.reset();
    setDone([...done, item.id]);
  };
  return (
    <>
      <Announcement queue={queue} item={item} />
      <AnnotateItem
        key={`${item.id}.${item.previous === null ? "first" : "again"}`}
        queue={queue}
        item={item}
        form={props.form}
        onFormChanged={props.onFormChanged}
        isSending={score.isPending || skip.isPending}
        skipProblem={skip.isError ? problemMessage(skip.error) : null}
        canUndo={last !== undefined}
        onUndone={onUndone}
        onScored={(body) =>
          score.mutate(
            { item_id: item.id, body },
            {
              onSuccess: onDone,
              onError: (error) => {
                toast.error(problemMessage(error));
                // Another user may have claimed it meanwhile.
                void step.refetch();
              },
            },
          )
        }
        onSkipped={(reason) =>
          skip.mutate({ item_id: item.id, body: { reason } }, { onSuccess: onDone })
        }
      />
    </>
  );
}
