import { useQuery } from "@tanstack/react-query";
import { isFinished, runQuery } from "@/api/runs";
import { isMostlyUnusable } from "./trouble";
import { TroublePanel } from "./trouble-panel";

export interface RunTroubleProps {
  slug: string;
  runId: string;
}

/** What went wrong in a run of another page; nothing while most of its answers can be used. */
export function RunTrouble({ slug, runId }: RunTroubleProps) {
  const run = useQuery(runQuery(slug, runId)).data;
  return run !== undefined && isFinished(run.state) && isMostlyUnusable(run) ? (
    <TroublePanel slug={slug} runId={runId} total={run.cell_count} />
  ) : null;
}
