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
import { readSession, writeSession } from "./session-store";
import type { PlaygroundPageProps, PlaygroundView } from "./view";
import { Workspace } from "./workspace";

/** The run to begin with: undefined while none is remembered, null if there is none. */
function rememberedRun(slug: string, promptId: string | undefined): string | null | undefined {
  const last = readSession(slug);
  const session =
    promptId === undefined || last?.promptId === promptId ? last : readSession(slug, promptId);
  return session?.runId ?? undefined;
}

/** The user's current run of a prompt: their last one, else the newest. */
function useCurrentRun(slug: string, first: string | undefined) {
  const [{ promptId, currentId }, setCurrent] = useState(() => ({
    promptId: first,
    currentId: rememberedRun(slug, first),
  }));
  const newest = useQuery({ ...newestRunQuery(slug, promptId), enabled: currentId === undefined });
  const setCurrentId = (next: string | null) => setCurrent({ promptId, currentId: next });
  if (currentId === undefined && newest.data !== undefined) {
    // Chosen once: another user's next run must not replace it.
    setCurrentId(newest.data?.id ?? null);
  }
  const choosePrompt = (chosen: string) => {
    const known = readSession(slug, chosen) ?? freshSession(slug, chosen);
    writeSession(slug, known);
    setCurrent({ promptId: chosen, currentId: rememberedRun(slug, chosen) });
  };
  return {
    ...{ promptId, currentId, setCurrentId, choosePrompt },
    error: newest.error,
    retry: () => void newest.refetch(),
  };
}

/** Settings of the last prompt for one that was never run here. */
function freshSession(slug: string, promptId: string): Session {
  return withoutRun(withPrompt(readSession(slug) ?? EMPTY_SESSION, promptId));
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
  const last = readSession(slug);
  const stored =
    view.prompt === undefined || last?.promptId === view.prompt
      ? last
      : (readSession(slug, view.prompt) ?? freshSession(slug, view.prompt));
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
  const current = useCurrentRun(slug, view.prompt);
  const { currentId, setCurrentId, error, retry } = current;
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
      key={isHistorical ? view.run : `current ${current.promptId ?? ""}`}
      {...props}
      models={models.data}
      run={shown}
      isHistorical={isHistorical}
      initial={() => withModels(initialSession(slug, view, shown, row, models.data), models.data)}
      onPromptChosen={(promptId) => {
        current.choosePrompt(promptId);
        onViewChanged({ ...view, prompt: undefined, run: undefined, output: undefined });
      }}
      onRestored={(session) => {
        writeSession(slug, session);
        setCurrentId(session.runId);
        onViewChanged({ ...view, run: undefined, output: undefined });
      }}
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
