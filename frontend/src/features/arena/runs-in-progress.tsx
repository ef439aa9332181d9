import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { percentDone } from "@/api/runs";
import { Alert } from "@/components/ui/alert";
import { Progress } from "@/components/ui/progress";
import { activeRunsQuery } from "./queries";

/** Runs on datasets that the boards do not show yet. */
export function RunsInProgress({ slug }: { slug: string }) {
  const { t } = useTranslation();
  const runs = useQuery(activeRunsQuery(slug)).data ?? [];
  return runs.map((run) => (
    <Alert key={run.id} tone={run.state === "paused" ? "warning" : "info"}>
      <div className="grid gap-2">
        <p>
          <Link
            to="/p/$slug/runs/$runId"
            params={{ slug, runId: run.id }}
            className="rounded-sm font-medium underline"
          >
            {run.name}
          </Link>{" "}
          {t(run.state === "paused" ? "arena.paused" : "arena.inProgress")}
        </p>
        <Progress label={run.name} value={percentDone(run)} />
      </div>
    </Alert>
  ));
}
