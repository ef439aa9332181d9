import { Filter, History } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DatasetSummary, Model } from "@/api/types";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";
import { DatasetMenu } from "./dataset-menu";
import { FilterBar } from "./filter-bar";
import { GraderMenu } from "./grader-menu";
import { HistoryDrawer } from "./history-drawer";
import { MetricPill } from "./metric-pill";
import { ModeMenu } from "./mode-menu";
import { MoreMenu } from "./more-menu";
import type { Metric, Mode, Session } from "./session";
import { countFilters, type PlaygroundView } from "./view";

export interface ToolbarProps {
  slug: string;
  session: Session;
  models: readonly Model[];
  datasets: readonly DatasetSummary[] | undefined;
  runId: string | null;
  isSimulated: boolean;
  metric: Metric;
  mode: Mode;
  view: PlaygroundView;
  /** Whether the role may start runs. */
  allowed: boolean;
  /** An earlier run is shown: its inputs are not changed. */
  isHistorical: boolean;
  canUpload: boolean;
  /** Counts filter resets; each one clears the typed search text. */
  clearings: number;
  shareAddress: (view: PlaygroundView) => string;
  onSessionChanged: (session: Session) => void;
  onViewChanged: (view: PlaygroundView) => void;
  onFiltersCleared: () => void;
  onModeWanted: (mode: Mode) => void;
  onRunOpened: (runId: string) => void;
}

/** Toolbar above the answers. */
export function Toolbar(props: ToolbarProps) {
  const { slug, session, models, view, metric, allowed, onSessionChanged, onViewChanged } = props;
  const { t } = useTranslation();
  const canChange = allowed && !props.isHistorical;
  const filters = countFilters(view);
  const [isFiltering, setFiltering] = useState(filters > 0);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  return (
    <div className="@container/toolbar grid gap-2 border-b border-border px-3 py-2.5">
      <div
        role="group"
        aria-label={t("playground.toolbar")}
        className="flex items-start gap-2 @max-2xs/toolbar:flex-wrap"
      >
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 @max-2xs/toolbar:basis-full @max-2xs/toolbar:gap-1">
          <MetricPill
            metric={metric}
            onMetricChanged={(next) => onViewChanged({ ...view, metric: next })}
          />
          <GraderMenu
            slug={slug}
            graders={session.graders}
            models={models}
            disabled={!canChange}
            onGradersChanged={(graders) => onSessionChanged({ ...session, graders })}
          />
          <DatasetMenu
            slug={slug}
            datasets={props.datasets}
            datasetId={session.datasetId}
            canUpload={props.canUpload}
            disabled={!canChange}
            onDatasetChosen={(datasetId) => onSessionChanged({ ...session, datasetId })}
          />
          <ModeMenu mode={props.mode} disabled={!canChange} onModeWanted={props.onModeWanted} />
          {props.isSimulated ? <SimulatedBadge /> : null}
        </div>
        <div className="ml-auto flex shrink-0 items-center gap-1">
          <Tooltip content={t("playground.filters.action")}>
            <Button
              variant="ghost"
              size="sm"
              iconOnly={filters === 0}
              aria-label={[t("playground.filters.action"), filters || null]
                .filter(Boolean)
                .join(" ")}
              aria-expanded={isFiltering}
              onClick={() => setFiltering(!isFiltering)}
            >
              <Filter aria-hidden />
              {filters === 0 ? null : filters}
            </Button>
          </Tooltip>
          <Tooltip content={t("playground.history.action")}>
            <Button
              variant="ghost"
              size="sm"
              iconOnly
              aria-label={t("playground.history.action")}
              onClick={() => setHistoryOpen(true)}
            >
              <History aria-hidden />
            </Button>
          </Tooltip>
          <MoreMenu
            slug={slug}
            session={props.session}
            runId={props.runId}
            view={view}
            allowed={allowed}
            shareAddress={props.shareAddress}
          />
        </div>
      </div>
      {isFiltering ? (
        <FilterBar
          key={props.clearings}
          view={view}
          onViewChanged={onViewChanged}
          onCleared={props.onFiltersCleared}
        />
      ) : null}
      {isHistoryOpen ? (
        <HistoryDrawer
          slug={slug}
          runId={props.runId}
          onRunOpened={(runId) => {
            setHistoryOpen(false);
            props.onRunOpened(runId);
          }}
          onClosed={() => setHistoryOpen(false)}
        />
      ) : null}
    </div>
  );
}
