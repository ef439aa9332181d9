import { useQuery } from "@tanstack/react-query";
import { Pin, PinOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { runQuery, useKeepRun } from "@/api/runs";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

export interface KeepRunButtonProps {
  slug: string;
  runId: string;
}

/** Keeps the run behind a result from being archived and deleted for its age, or no longer. */
export function KeepRunButton({ slug, runId }: KeepRunButtonProps) {
  const { t } = useTranslation();
  const run = useQuery(runQuery(slug, runId)).data;
  const keep = useKeepRun(slug);
  if (run === undefined) {
    return null;
  }
  const { name, is_kept: isKept } = run;
  return (
    <Button
      variant="secondary"
      size="sm"
      loading={keep.isPending}
      onClick={() =>
        keep.mutate(
          { runId, isKept: !isKept },
          {
            onSuccess: () =>
              toast.success(t(isKept ? "runs.keep.ended" : "runs.keep.done", { name })),
            onError: (error) => toast.error(problemMessage(error)),
          },
        )
      }
    >
      {isKept ? <PinOff aria-hidden /> : <Pin aria-hidden />}
      {t(isKept ? "runs.keep.end" : "runs.keep.action")}
    </Button>
  );
}
