import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RunDetail } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { replayComparisonQuery } from "./queries";

/** Whether a replay from stored answers reproduced the run. */
export function ReplayResult({ slug, run }: { slug: string; run: RunDetail }) {
  const { t } = useTranslation();
  const { data } = useQuery(replayComparisonQuery(slug, run.id));
  if (data === undefined || run.replay_of_id === null) {
    return null;
  }
  return (
    <Alert
      tone={data.is_identical ? "success" : "danger"}
      action={
        <Link
          to="/p/$slug/runs/$runId"
          params={{ slug, runId: run.replay_of_id }}
          className="rounded-sm font-medium whitespace-nowrap underline"
        >
          {t("runs.replay.original")}
        </Link>
      }
    >
      {data.is_identical
        ? t("runs.replay.identical", {
            outputs: data.outputs_compared,
            scores: data.scores_compared,
          })
        : t("runs.replay.differs", {
            outputs: data.differing_outputs,
            scores: data.differing_scores,
          })}
    </Alert>
  );
}
