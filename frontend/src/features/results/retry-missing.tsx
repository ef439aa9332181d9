import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { runQuery } from "@/api/runs";
import type { RunResults } from "@/api/types";
import { Button } from "@/components/ui/button";
import { problemMessage } from "@/api/problem-message";
import { useChange } from "@/api/use-change";
import { toast } from "@/components/ui/toast";

export interface RetryMissingProps {
  slug: string;
  results: RunResults;
}

/**
 * Retries failed answers and unreadable scores; renders nothing when complete or while the run is
 * in progress.
 */
export function RetryMissing({ slug, results }: RetryMissingProps) {
  const { t } = useTranslation();
  const retry = useChange(
    "post",
    "/projects/{project}/runs/{run_id}/retry",
    { project: slug, run_id: results.run_id },
    {
      keep: (queryClient, run) => {
        queryClient.setQueryData(runQuery(slug, run.id).queryKey, run);
      },
      onError: (error) => void toast.error(problemMessage(error)),
    },
  );
  const counts = results.variants.map((variant) => variant.outcome_counts);
  const failed = counts.reduce((sum, each) => sum + each.failed, 0);
  const unreadable = counts.reduce((sum, each) => sum + each.unreadable, 0);
  if (!results.is_final || failed + unreadable === 0) {
    return null;
  }
  return (
    <Button variant="secondary" loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
      <RotateCw aria-hidden />
      {failed > 0 ? t("results.outcomes.retry") : t("results.outcomes.retryUnreadable")}
    </Button>
  );
}
