import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isFinished } from "@/api/runs";
import type { Run } from "@/api/types";
import { PagedList } from "@/components/listing/paged-list";
import { formatScore } from "@/components/score-scale";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Badge } from "@/components/ui/badge";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { formatSpent } from "@/lib/spent";
import { historyQuery } from "./queries";

export interface HistoryDrawerProps {
  slug: string;
  /** The shown run. */
  runId: string | null;
  onRunOpened: (runId: string) => void;
  onClosed: () => void;
}

interface PastRunProps {
  run: Run;
  isShown: boolean;
  onOpened: () => void;
}

function PastRun({ run, isShown, onOpened }: PastRunProps) {
  const { t } = useTranslation();
  const facts = [
    run.version_labels.join(", "),
    run.model_names.join(", "),
    t("runs.size.cases", { count: run.case_count }),
    run.score === null ? null : t("playground.history.grade", { value: formatScore(run.score) }),
    formatSpent(run.cost_usd, run.unpriced_count),
    run.author?.name,
  ];
  return (
    <li>
      <button
        type="button"
        aria-current={isShown || undefined}
        onClick={onOpened}
        className="grid w-full gap-1 rounded-lg border border-border px-4 py-3 text-left transition-colors hover:border-border-strong hover:bg-surface aria-[current]:border-accent-solid"
      >
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="min-w-0 truncate text-sm font-medium">{run.name}</span>
          {run.state === "completed" ? null : (
            <Badge tone={isFinished(run.state) ? "neutral" : "info"}>
              {t(`runs.states.${run.state}`)}
            </Badge>
          )}
          {run.is_simulated ? <SimulatedBadge /> : null}
          <span className="ml-auto text-xs text-ink-muted">
            <RelativeTime iso={run.created_at} />
          </span>
        </span>
        <span className="text-xs text-ink-muted">{facts.filter(Boolean).join(" · ")}</span>
      </button>
    </li>
  );
}

/** All playground runs of the project, newest first; each can be opened. */
export function HistoryDrawer({ slug, runId, onRunOpened, onClosed }: HistoryDrawerProps) {
  const { t } = useTranslation();
  const runs = useInfiniteQuery(historyQuery(slug));
  return (
    <Drawer
      open
      onOpenChanged={onClosed}
      title={t("playground.history.title")}
      description={t("playground.history.description")}
    >
      <PagedList
        query={runs}
        skeleton={
          <LoadingStatus className="grid gap-3">
            <Skeleton className="h-16 rounded-lg" />
            <Skeleton className="h-16 rounded-lg" />
            <Skeleton className="h-16 rounded-lg" />
          </LoadingStatus>
        }
        empty={
          <EmptyState
            icon={<History />}
            title={t("playground.history.none")}
            description={t("playground.history.noneHint")}
          />
        }
      >
        {(items) => (
          <ul aria-label={t("playground.history.title")} className="grid gap-2">
            {items.map((run) => (
              <PastRun
                key={run.id}
                run={run}
                isShown={run.id === runId}
                onOpened={() => onRunOpened(run.id)}
              />
            ))}
          </ul>
        )}
      </PagedList>
    </Drawer>
  );
}
