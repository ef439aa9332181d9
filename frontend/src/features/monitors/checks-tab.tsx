import { useInfiniteQuery } from "@tanstack/react-query";
import { ListChecks, Pin } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MonitorCheck } from "@/api/types";
import { FilterSelect } from "@/components/listing/filter-bar";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { formatScore, outOfTen } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { Unknown } from "@/components/unknown";
import { formatCost } from "@/lib/format";
import { caseChangesOf, changeOf, formatChange } from "./check-figures";
import { CheckBadge } from "./monitor-badges";
import { CHECK_STATES, type MonitorView } from "./monitor-view";
import { checksQuery } from "./queries";
import type { MonitorTabProps } from "./tab-props";

export interface ChecksTabProps extends MonitorTabProps {
  state: MonitorView["state"];
  onStateChanged: (state: MonitorView["state"]) => void;
  onCheckOpened: (checkId: string) => void;
}

function Score({ check }: { check: MonitorCheck }) {
  const { t } = useTranslation();
  if (check.score === null) {
    return <Unknown />;
  }
  const { low = null, high = null } = check.measures ?? {};
  return (
    <span className="grid gap-0.5 whitespace-nowrap tabular-nums">
      {formatScore(check.score)}
      {low === null || high === null ? null : (
        <span className="text-xs text-ink-muted">
          {t("monitors.kpi.interval", { low: outOfTen(low), high: outOfTen(high) })}
        </span>
      )}
    </span>
  );
}

function Change({ check }: { check: MonitorCheck }) {
  const { t } = useTranslation();
  const change = changeOf(check);
  const cases = caseChangesOf(check);
  if (change === null) {
    return <Unknown />;
  }
  return (
    <span className="grid gap-0.5 tabular-nums">
      <span className="whitespace-nowrap">{formatChange(change)}</span>
      {cases === null ? null : (
        <span className="text-xs whitespace-nowrap text-ink-muted">
          {t("monitors.check.changes", { ...cases })}
        </span>
      )}
    </span>
  );
}

function useCheckColumns(onCheckOpened: (checkId: string) => void): Column<MonitorCheck>[] {
  const { t } = useTranslation();
  return [
    {
      key: "check",
      header: t("monitors.check.columns.check"),
      primary: true,
      cell: (check) => (
        <span className="grid justify-items-start gap-0.5">
          <Button
            variant="ghost"
            size="sm"
            className="-ml-3 text-accent-ink"
            onClick={() => onCheckOpened(check.id)}
          >
            {t("monitors.check.number", { number: check.number })}
          </Button>
          <span className="flex items-center gap-2 text-xs text-ink-muted">
            <RelativeTime iso={check.scheduled_for} />
            {check.trigger === "person" ? t("monitors.check.byPerson") : null}
          </span>
        </span>
      ),
    },
    {
      key: "finding",
      header: t("monitors.check.columns.finding"),
      cell: (check) => (
        <span className="grid justify-items-start gap-1 max-lg:justify-items-end">
          <span className="flex flex-wrap gap-1.5">
            <CheckBadge check={check} />
            {check.is_pinned ? (
              <Badge tone="accent" icon={<Pin aria-hidden />}>
                {t("monitors.check.pinned")}
              </Badge>
            ) : null}
          </span>
          {check.message === null ? null : (
            <span className="line-clamp-2 max-w-md text-xs text-pretty text-ink-muted">
              {check.message}
            </span>
          )}
        </span>
      ),
    },
    {
      key: "score",
      header: t("monitors.check.columns.score"),
      cell: (check) => <Score check={check} />,
    },
    {
      key: "change",
      header: t("monitors.check.columns.change"),
      cell: (check) => <Change check={check} />,
    },
    {
      key: "version",
      header: t("monitors.check.columns.version"),
      cell: ({ version_label: label }) => (label === null ? <Unknown /> : <code>{label}</code>),
    },
    {
      key: "cost",
      header: t("monitors.check.columns.cost"),
      align: "right",
      cell: ({ cost_usd: cost }) => <span className="tabular-nums">{formatCost(cost)}</span>,
    },
  ];
}

/** All checks of a monitor, latest first. */
export function ChecksTab({ at, state, onStateChanged, onCheckOpened }: ChecksTabProps) {
  const { t } = useTranslation();
  const checks = useInfiniteQuery(checksQuery(at, state));
  const columns = useCheckColumns(onCheckOpened);
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="w-full sm:w-56">
        <FilterSelect
          label={t("monitors.check.state")}
          anything={t("monitors.check.anyState")}
          value={state}
          options={CHECK_STATES.map((value) => ({
            value,
            label: t(`monitors.checkStates.${value}`),
          }))}
          onChosen={onStateChanged}
        />
      </div>
      <PagedList
        query={checks}
        empty={
          state === undefined ? (
            <EmptyState
              icon={<ListChecks />}
              title={t("monitors.check.empty")}
              description={t("monitors.trend.emptyHint")}
            />
          ) : (
            <NoMatch onFiltersCleared={() => onStateChanged(undefined)} />
          )
        }
      >
        {(rows) => (
          <Table
            caption={t("monitors.tabs.checks")}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
          />
        )}
      </PagedList>
    </div>
  );
}
