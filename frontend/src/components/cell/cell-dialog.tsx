import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, RotateCw } from "lucide-react";
import {
  useEffect,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { useTranslation } from "react-i18next";
import { outputQuery, rerunOptions } from "@/api/outputs";
import { problemMessage } from "@/api/problem-message";
import { caseQuery } from "@/api/run-rows";
import type { OutputDetail, Project, RunDetail } from "@/api/types";
import { useChange } from "@/api/use-change";
import type { RowStore } from "@/components/grid/row-store";
import { cellKey } from "@/components/grid/rows";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { can } from "@/lib/permissions";
import { AddCase } from "./add-case";
import { CellParts } from "./cell-parts";
import { RepeatAnswers } from "./repeat-answers";
import { ALL, RepeatSwitch, useRepeats } from "./repeat-switch";
import { SaveAsExpected } from "./save-as-expected";

export interface CellDialogProps {
  project: Project;
  run: RunDetail;
  store: RowStore;
  outputId: string;
  /** Whether cells of this run may be re-run; by default allowed for roles that may start runs. */
  canRerun?: boolean;
  /** Undefined when the dialog is closed. */
  onOutputChanged: (outputId: string | undefined) => void;
}

/** The cell of the same variant in an adjacent row, which the grid may not have loaded. */
function useNeighbour(props: CellDialogProps, output: OutputDetail | undefined, step: 1 | -1) {
  const { project, run, store } = props;
  const position = output === undefined ? -1 : output.case_position + step;
  const known = store.get(position);
  const row = useQuery({
    ...caseQuery({ slug: project.slug, runId: run.id }, position),
    enabled: known === undefined && position >= 0 && position < run.case_count,
  });
  if (output === undefined) {
    return undefined;
  }
  const { variant_position, repeat } = output;
  const read = row.data?.cells.find(
    (cell) => cell.variant_position === variant_position && cell.repeat === repeat,
  );
  return (known?.cells[cellKey(variant_position, repeat)] ?? read)?.id;
}

interface StepsProps {
  previous: string | undefined;
  next: string | undefined;
  onOutputChanged: (outputId: string) => void;
}

function Steps({ previous, next, onOutputChanged }: StepsProps) {
  const { t } = useTranslation();
  const go = (outputId: string | undefined) => {
    if (outputId !== undefined) {
      onOutputChanged(outputId);
    }
  };
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        disabled={previous === undefined}
        onClick={() => go(previous)}
      >
        <ChevronLeft aria-hidden />
        {t("runs.dialog.previous")}
      </Button>
      <Button variant="ghost" size="sm" disabled={next === undefined} onClick={() => go(next)}>
        {t("runs.dialog.next")}
        <ChevronRight aria-hidden />
      </Button>
    </>
  );
}

interface RerunProps {
  project: Project;
  run: RunDetail;
  output: OutputDetail;
}

function Rerun({ project, run, output }: RerunProps) {
  const { t } = useTranslation();
  const rerun = useChange(
    "post",
    "/projects/{project}/outputs/{output_id}/rerun",
    { project: project.slug },
    rerunOptions(project.slug),
  );
  const isAllowed = can(project.role, "runs.start") && project.archived_at === null;
  // Cancelled runs are not changed, and a replay makes no calls.
  if (!isAllowed || run.state === "cancelled" || run.replay_of_id !== null) {
    return null;
  }
  return (
    <Button
      variant="secondary"
      size="sm"
      loading={rerun.isPending || output.is_wanted_again}
      onClick={() =>
        rerun.mutate(
          { output_id: output.id },
          {
            onSuccess: () => toast.success(t("runs.dialog.rerunning")),
            onError: (error) => toast.error(problemMessage(error)),
          },
        )
      }
    >
      <RotateCw aria-hidden />
      {output.is_wanted_again ? t("runs.dialog.waiting") : t("runs.dialog.rerun")}
    </Button>
  );
}

/** Actions to save an answer as expected or its row as a case. */
function SaveActions({ project, output }: Omit<RerunProps, "run">) {
  if (!can(project.role, "datasets.edit") || project.archived_at !== null) {
    return null;
  }
  return (
    <>
      {output.status === "error" ? null : <SaveAsExpected slug={project.slug} output={output} />}
      <AddCase slug={project.slug} output={output} />
    </>
  );
}

/** Refetches the output when the stream reports a change of its cell. */
function useFreshOutput({ project, store, outputId }: CellDialogProps) {
  const output = useQuery(outputQuery(project.slug, outputId));
  const place = output.data;
  const cell = useSyncExternalStore(
    (listener) =>
      place === undefined ? () => undefined : store.subscribe(place.case_position, listener),
    () =>
      place === undefined
        ? undefined
        : store.get(place.case_position)?.cells[cellKey(place.variant_position, place.repeat)],
  );
  const { refetch } = output;
  const isOld =
    cell !== undefined &&
    place !== undefined &&
    (cell.number > place.number || cell.scores.length > place.details.length);
  useEffect(() => {
    if (isOld) {
      void refetch();
    }
  }, [isOld, cell, refetch]);
  return output;
}

/** Details of one cell. The left and right arrow keys move to the same variant's other cases. */
export function CellDialog(props: CellDialogProps) {
  const { run, onOutputChanged } = props;
  const { t } = useTranslation();
  const { data: output, ...state } = useFreshOutput(props);
  const previous = useNeighbour(props, output, -1);
  const next = useNeighbour(props, output, 1);
  const [isAll, setAll] = useState(false);
  const repeats = useRepeats(props.project.slug, run, output);
  const chooseRepeat = (shown: string) => {
    setAll(shown === ALL);
    if (shown !== ALL) {
      onOutputChanged(shown);
    }
  };
  const variant = run.variants.find(({ position }) => position === output?.variant_position);
  const onKeyDown = (event: KeyboardEvent) => {
    const isInText =
      event.target instanceof Element &&
      event.target.closest("pre, textarea, [role=tablist], [role=radiogroup]");
    if (output === undefined || isInText || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const wanted = { ArrowLeft: previous, ArrowRight: next }[event.key];
    if (wanted !== undefined) {
      event.preventDefault();
      onOutputChanged(wanted);
    }
  };
  let content: ReactNode = <FormSkeleton fields={3} />;
  if (isAll && repeats.length > 0) {
    content = (
      <RepeatAnswers slug={props.project.slug} answers={repeats} onOutputChosen={chooseRepeat} />
    );
  } else if (output !== undefined) {
    content = (
      <CellParts
        slug={props.project.slug}
        canScore={can(props.project.role, "outputs.score") && props.project.archived_at === null}
        run={run}
        output={output}
      />
    );
  } else if (state.isError) {
    content = <ProblemState error={state.error} onRetry={() => void state.refetch()} />;
  }
  return (
    <Dialog
      open
      width="xl"
      onOpenChanged={() => onOutputChanged(undefined)}
      title={
        output === undefined
          ? t("ui.loading")
          : t("runs.dialog.title", { number: output.case_position + 1 })
      }
      description={variant?.label ?? run.name}
      onKeyDown={onKeyDown}
    >
      <div className="grid gap-5">
        {output === undefined ? null : (
          <div className="flex flex-wrap items-center gap-2">
            <Steps previous={previous} next={next} onOutputChanged={onOutputChanged} />
            <RepeatSwitch
              answers={repeats}
              shown={isAll ? ALL : output.id}
              onShownChanged={chooseRepeat}
            />
            <span className="ml-auto flex flex-wrap gap-2">
              <SaveActions project={props.project} output={output} />
              {props.canRerun === false ? null : (
                <Rerun project={props.project} run={run} output={output} />
              )}
            </span>
          </div>
        )}
        {content}
      </div>
    </Dialog>
  );
}
