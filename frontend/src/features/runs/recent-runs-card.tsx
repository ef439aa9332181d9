import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ListCard } from "@/components/list-card";
import { ScoreBadge } from "@/components/score-badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { recentRunsQuery } from "./queries";
import { shownState } from "./run-state";
import { StateBadge } from "./state-badge";

/** The newest runs, for the project's home page. */
export function RecentRunsCard({ slug }: { slug: string }) {
  const { t } = useTranslation();
  return (
    <ListCard
      title={t("runs.recent.title")}
      query={useQuery(recentRunsQuery(slug))}
      empty={t("runs.recent.empty")}
      actions={
        <Link
          to="/p/$slug/runs"
          params={{ slug }}
          className="rounded-sm text-sm text-accent-ink hover:underline"
        >
          {t("runs.recent.all")}
        </Link>
      }
      row={(run) => (
        <li key={run.id} className="flex items-center gap-3 px-5 py-3">
          <span className="grid min-w-0 flex-1">
            <Link
              to="/p/$slug/runs/$runId"
              params={{ slug, runId: run.id }}
              title={run.name}
              className="truncate rounded-sm text-sm font-medium hover:text-accent-ink hover:underline"
            >
              {run.name}
            </Link>
            <RelativeTime iso={run.created_at} className="text-xs text-ink-muted" />
          </span>
          {run.score === null ? null : (
            <ScoreBadge label={t("runs.score")} value={run.score} passed={null} />
          )}
          {shownState(run) === "completed" ? null : <StateBadge run={run} />}
        </li>
      )}
    />
  );
}
