import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { GitCompareArrows, ListChecks, Pin, RotateCw } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { MonitorCheck } from "@/api/types";
import { KeepRunButton } from "@/components/keep-run-button";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { formatCost, formatDuration } from "@/lib/format";
import { momentLabel } from "@/lib/utc-times";
import { BaselineDialog, type BaselineWish } from "./baseline-dialog";
import { CheckModels } from "./check-models";
import { caseChangesOf } from "./check-figures";
import { CheckBadge } from "./monitor-badges";
import { checkQuery } from "./queries";
import type { MonitorTabProps } from "./tab-props";

export interface CheckDrawerProps extends MonitorTabProps {
  checkId: string;
  onClosed: () => void;
}

interface ShownProps extends CheckDrawerProps {
  check: MonitorCheck;
}

function durationOf({ started_at: start, ended_at: end }: MonitorCheck): string | null {
  return start === null || end === null
    ? null
    : formatDuration((Date.parse(end) - Date.parse(start)) / 1000);
}

function Facts({ check }: { check: MonitorCheck }) {
  const { t } = useTranslation();
  const duration = durationOf(check);
  const facts: [label: string, value: ReactNode][] = [
    [t("monitors.check.scheduledFor"), momentLabel(check.scheduled_for)],
    [t("monitors.check.trigger"), t(`monitors.triggers.${check.trigger}`)],
    ...(check.version_label === null
      ? []
      : [[t("monitors.check.columns.version"), check.version_label] as [string, ReactNode]]),
    ...(duration === null ? [] : [[t("monitors.check.duration"), duration] as [string, ReactNode]]),
    [t("monitors.check.columns.cost"), formatCost(check.cost_usd)],
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-ink-muted">{label}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Links to the runs of a check; the comparison opens at the cases that changed. */
interface RunLinksProps {
  slug: string;
  check: MonitorCheck;
  editable: boolean;
}

function RunLinks({ slug, check, editable }: RunLinksProps) {
  const { t } = useTranslation();
  const { run_id: runId, confirm_run_id: confirmId } = check;
  const baselineId = check.measures?.baseline_run_id ?? null;
  const to = "/p/$slug/runs/$runId";
  if (runId === null) {
    return null;
  }
  return (
    <div className="flex flex-wrap gap-2">
      {baselineId === null ? null : (
        <Button asChild variant="secondary" size="sm">
          <Link to={to} params={{ slug, runId }} search={{ tab: "compare", against: baselineId }}>
            <GitCompareArrows aria-hidden />
            {t("monitors.check.compare")}
          </Link>
        </Button>
      )}
      <Button asChild variant="secondary" size="sm">
        <Link to={to} params={{ slug, runId }}>
          <ListChecks aria-hidden />
          {t("monitors.check.openRun")}
        </Link>
      </Button>
      {confirmId === null ? null : (
        <Button asChild variant="secondary" size="sm">
          <Link to={to} params={{ slug, runId: confirmId }}>
            <RotateCw aria-hidden />
            {t("monitors.check.openConfirmation")}
          </Link>
        </Button>
      )}
      {editable && !check.is_pinned ? <KeepRunButton slug={slug} runId={runId} /> : null}
    </div>
  );
}

function Shown({ at, check, monitor, editable }: ShownProps) {
  const { t } = useTranslation();
  const [wish, setWish] = useState<BaselineWish | null>(null);
  const cases = caseChangesOf(check);
  const isUsable = editable && monitor.archived_at === null && check.score !== null;
  return (
    <div className="grid gap-6">
      <div className="grid justify-items-start gap-2">
        <CheckBadge check={check} />
        {check.message === null ? null : <p className="text-sm text-pretty">{check.message}</p>}
        {check.reason === null || check.state !== "skipped" ? null : (
          <p className="text-sm text-pretty text-ink-muted">
            {t(`monitors.skipped.${check.reason as "misfire" | "overlap" | "budget"}`)}
          </p>
        )}
      </div>
      <Facts check={check} />
      {cases === null ? null : (
        <p className="text-sm font-medium">{t("monitors.check.changesLong", { ...cases })}</p>
      )}
      <RunLinks slug={at.project} check={check} editable={editable} />
      <CheckModels check={check} />
      {isUsable ? (
        <div className="flex flex-wrap gap-2 border-t border-border pt-5">
          {check.is_pinned ? null : (
            <Button
              variant="secondary"
              size="sm"
              onClick={() => setWish({ kind: "pin", checkId: check.id, number: check.number })}
            >
              <Pin aria-hidden />
              {t("monitors.baseline.pin")}
            </Button>
          )}
          {monitor.last_measured?.id === check.id ? (
            <Button variant="secondary" size="sm" onClick={() => setWish({ kind: "accept" })}>
              {t("monitors.baseline.accept")}
            </Button>
          ) : null}
        </div>
      ) : null}
      {wish === null ? null : <BaselineDialog at={at} wish={wish} onClosed={() => setWish(null)} />}
    </div>
  );
}

/** One check: what it found, its runs, and the cases that changed. */
export function CheckDrawer(props: CheckDrawerProps) {
  const { at, checkId, onClosed } = props;
  const { t } = useTranslation();
  const check = useQuery(checkQuery(at, checkId));
  return (
    <Drawer
      open
      onOpenChanged={onClosed}
      title={
        check.data === undefined
          ? t("monitors.check.title")
          : t("monitors.check.number", { number: check.data.number })
      }
      description={props.monitor.name}
    >
      {check.data !== undefined ? (
        <Shown {...props} check={check.data} />
      ) : check.isPending ? (
        <LoadingStatus>
          <Skeleton className="h-48 rounded-lg" />
        </LoadingStatus>
      ) : (
        <ProblemState error={check.error} onRetry={() => void check.refetch()} />
      )}
    </Drawer>
  );
}
