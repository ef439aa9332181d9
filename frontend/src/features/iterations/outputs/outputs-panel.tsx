import { useQueries, useQuery } from "@tanstack/react-query";
import { Columns3 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { experimentQuery } from "@/api/experiments";
import { outputQuery } from "@/api/outputs";
import { resultsQuery } from "@/api/run-results";
import type { Iteration, OutputDetail, Project, SideCase } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { ProblemState } from "@/components/problem-state";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";
import { can } from "@/lib/permissions";
import type { IterationView } from "../iteration-view";
import { CaseSetSwitch, runOf } from "../run-answers";
import { CaseCard } from "./case-card";
import { ColumnPicker, useColumnName } from "./column-picker";
import { chosenColumns, columnChoices, type ColumnChoice } from "./columns";
import { OutputColumn, textOf } from "./output-column";
import { NO_FILTERS } from "./outputs-view";
import { Rationales } from "./rationales";
import { Toolbar } from "./toolbar";
import { useCaseKeys, useCases } from "./use-cases";

export interface OutputsPanelProps {
  project: Project;
  iteration: Iteration;
  view: IterationView;
  onViewChanged: (view: IterationView) => void;
  /** Whether keyboard shortcuts are active. */
  isActive: boolean;
}

interface AnswersProps {
  project: Project;
  runId: string;
  columns: readonly ColumnChoice[];
  shown: SideCase;
  isDifference: boolean;
  criterion: string | undefined;
}

/** Answers to one case, with rationales. */
function Answers({ project, runId, columns, shown, isDifference, criterion }: AnswersProps) {
  const { slug } = project;
  const nameOf = useColumnName();
  const results = useQuery(resultsQuery(slug, runId)).data;
  const ids = shown.cells.map((cell) => cell.output_id);
  const read = useQueries({
    queries: ids.map((id) => ({ ...outputQuery(slug, id ?? ""), enabled: id !== null })),
  });
  const outputs: (OutputDetail | undefined)[] = read.map(({ data }) => data);
  const [first] = outputs;
  const sides = columns.flatMap((column, at) => {
    const cell = shown.cells[at];
    return cell === undefined
      ? []
      : [{ key: column.key, name: nameOf(column), cell, output: outputs[at], at }];
  });
  return (
    <>
      <div
        className="grid items-stretch gap-4 max-xl:grid-cols-2! max-md:grid-cols-1!"
        style={{ gridTemplateColumns: `repeat(${sides.length}, minmax(0, 1fr))` }}
      >
        {sides.map(({ key, name, cell, output, at }) => (
          <OutputColumn
            key={`${key} ${cell.output_id}`}
            slug={slug}
            name={name}
            cell={cell}
            output={output}
            reference={isDifference && at > 0 && first !== undefined ? textOf(first) : null}
            canScore={can(project.role, "outputs.score") && project.archived_at === null}
          />
        ))}
      </div>
      <Rationales columns={sides} results={results} criterion={criterion} />
    </>
  );
}

interface ViewerProps extends OutputsPanelProps {
  runId: string;
  choices: readonly ColumnChoice[];
}

function Viewer(props: ViewerProps) {
  const { project, runId, choices, view, onViewChanged, isActive } = props;
  const { t } = useTranslation();
  const [isDifference, setDifference] = useState(false);
  const columns = chosenColumns(choices, view.columns);
  const results = useQuery(resultsQuery(project.slug, runId)).data;
  const change = (next: IterationView) => onViewChanged({ ...view, ...next });
  const cases = useCases({ slug: project.slug, runId, columns, view, onViewChanged: change });
  useCaseKeys(isActive, cases.previous, cases.next);
  const { query, shown } = cases;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <ColumnPicker
          choices={choices}
          chosen={columns}
          onChosen={(keys) => change({ columns: keys.join(",") })}
        />
        <span className="flex flex-wrap items-center gap-4">
          {columns.length > 1 ? (
            <Switch
              label={t("iterations.outputs.differences")}
              checked={isDifference}
              onCheckedChanged={setDifference}
            />
          ) : null}
          <CaseSetSwitch {...props} />
        </span>
      </div>
      <Toolbar view={view} onViewChanged={change} results={results} />
      {query.isPending ? (
        <LoadingStatus>
          <Skeleton className="h-96 rounded-xl" />
        </LoadingStatus>
      ) : null}
      {query.isError ? (
        <ProblemState error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {query.data !== undefined && shown === undefined ? (
        <NoMatch onFiltersCleared={() => change({ ...NO_FILTERS, case: undefined })} />
      ) : null}
      {shown === undefined ? null : (
        <>
          <CaseCard
            slug={project.slug}
            runId={runId}
            shown={shown}
            at={cases.at}
            total={cases.total}
            hasPrevious={cases.hasPrevious}
            hasNext={cases.hasNext}
            onPrevious={cases.previous}
            onNext={cases.next}
          />
          <Answers
            project={project}
            runId={runId}
            columns={columns}
            shown={shown}
            isDifference={isDifference}
            criterion={view.criterion}
          />
        </>
      )}
    </div>
  );
}

/** Answers to the same case side by side, from this iteration and others. */
export function OutputsPanel(props: OutputsPanelProps) {
  const { project, iteration, view } = props;
  const { t } = useTranslation();
  const experiment = useQuery(experimentQuery(project.slug, iteration.experiment_id)).data;
  const runId = runOf(iteration, view);
  const isHoldout = runId !== null && runId === iteration.holdout_run_id;
  const choices = columnChoices(iteration, experiment, isHoldout);
  if (runId === null || choices.length === 0) {
    return (
      <EmptyState
        icon={<Columns3 />}
        title={t("iterations.outputs.none")}
        description={t("iterations.outputs.noneHint")}
      />
    );
  }
  return <Viewer key={runId} {...props} runId={runId} choices={choices} />;
}
