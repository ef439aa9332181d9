import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { modelsQuery } from "@/api/models";
import { Problem } from "@/api/problem";
import { caseQuery } from "@/api/run-rows";
import { runQuery } from "@/api/runs";
import type { Model, RunDetail, RunRow } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { newestRunQuery } from "./queries";
import { sessionOf } from "./run-session";
import { EMPTY_SESSION, withModels, withoutRun, withPrompt, type Session } from "./session";
import { readSession } from "./session-store";
import type { PlaygroundPageProps, PlaygroundView } from "./view";
import { Workspace } from "./workspace";

/** The user's current run: their last one, else the project's newest. */
function useCurrentRun(slug: string) {
  const [currentId, setCurrentId] = useState<string | null | undefined>(
    () => readSession(slug)?.runId ?? undefined,
  );
  const newest = useQuery({ ...newestRunQuery(slug), enabled: currentId === undefined });
  if (currentId === undefined && newest.data !== undefined) {
    // Chosen once: another user's next run must not replace it.
    setCurrentId(newest.data?.id ?? null);
  }
  return { currentId, setCurrentId, error: newest.error, retry: () => void newest.refetch() };
}

/** The shown run and, without a dataset, its only row for the input form. */
function useShownRun(slug: string, runId: string | null | undefined) {
  const run = useQuery({ ...runQuery(slug, runId ?? ""), enabled: typeof runId === "string" });
  const isByHand = run.data?.dataset_id === null;
  const row = useQuery({
    ...caseQuery({ slug, runId: runId ?? "" }, 0),
    enabled: isByHand,
  });
  return { run, row: row.data, isPending: run.isLoading || (isByHand && row.isPending) };
}

function initialSession(
  slug: string,
  view: PlaygroundView,
  run: RunDetail | null,
  row: RunRow | undefined,
  models: readonly Model[],
): Session {
  const stored = readSession(slug);
  const isStored = stored !== null && stored.runId === (run?.id ?? null);
  const base = isStored ? stored : run === null ? null : sessionOf(run, models, row);
  const session = base ?? withoutRun(stored ?? EMPTY_SESSION);
  return view.prompt === undefined ? session : withPrompt(session, view.prompt);
}

function PageSkeleton() {
  return (
    <LoadingStatus className="flex-1">
      <div className="flex gap-5 p-5">
        <div className="grid w-[30%] min-w-0 shrink-0 content-start gap-4 [&>*]:max-w-full">
          <Skeleton className="h-7 w-56" />
          <Skeleton className="h-[60dvh] rounded-lg" />
        </div>
        <div className="grid min-w-0 flex-1 content-start gap-4 [&>*]:max-w-full">
          <Skeleton className="h-8 w-96 rounded-full" />
          <Skeleton className="h-[60dvh] rounded-lg" />
        </div>
      </div>
    </LoadingStatus>
  );
}

/** Playground: write, run, compare and grade on one page. */
export function PlaygroundPage(props: PlaygroundPageProps) {
  const { project, view, onViewChanged } = props;
  const { slug } = project;
  const models = useQuery(modelsQuery(slug));
  const { currentId, setCurrentId, error, retry } = useCurrentRun(slug);
  const { run, row, isPending } = useShownRun(slug, view.run ?? currentId);
  const isHistorical = view.run !== undefined && view.run !== currentId;
  const isGone = run.error instanceof Problem && run.error.status === 404;
  if (isGone && view.run === undefined && currentId !== null) {
    setCurrentId(null);
  }
  const problem = models.error ?? error ?? (view.run === undefined && isGone ? null : run.error);
  if (problem !== null) {
    const retryAll = () => {
      void models.refetch();
      // Without a run there is nothing to load.
      if (run.isError) {
        void run.refetch();
      }
      retry();
    };
    return (
      <div className="p-6">
        <ProblemState error={problem} onRetry={retryAll} />
      </div>
    );
  }
  if (models.data === undefined || currentId === undefined || isPending) {
    return <PageSkeleton />;
  }
  const shown = run.data ?? null;
  return (
    <Workspace
      key={isHistorical ? view.run : "current"}
      {...props}
      models={models.data}
      run={shown}
      isHistorical={isHistorical}
      initial={() => withModels(initialSession(slug, view, shown, row, models.data), models.data)}
      onRunStarted={({ id }) => {
        setCurrentId(id);
        onViewChanged({ ...view, run: undefined, output: undefined });
      }}
      onRunOpened={(id) =>
        onViewChanged({ ...view, run: id === currentId ? undefined : id, output: undefined })
      }
      onLatestWanted={() => onViewChanged({ ...view, run: undefined, output: undefined })}
    />
  );
}
