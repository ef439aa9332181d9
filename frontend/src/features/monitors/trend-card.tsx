import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { MonitorTrend } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { Segmented } from "@/components/ui/segmented";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { TREND_DAYS, type TrendDays } from "./monitor-view";

interface TrendCardProps {
  id: string;
  title: string;
  trend: UseQueryResult<MonitorTrend>;
  days: TrendDays;
  onDaysChanged: (days: TrendDays) => void;
  /** Height of what is loading. */
  skeleton: string;
  children: (trend: MonitorTrend) => ReactNode;
}

/** A card about the last days of a monitor, in all states of its query. */
export function TrendCard(props: TrendCardProps) {
  const { id, title, trend, days, onDaysChanged, skeleton, children } = props;
  const { t } = useTranslation();
  return (
    <Card aria-labelledby={id} className="min-w-0">
      <CardHeader
        id={id}
        title={title}
        actions={
          <Segmented
            label={t("monitors.trend.days")}
            value={days}
            options={TREND_DAYS.map((value) => ({ value, label: t(`monitors.days.${value}`) }))}
            onValueChanged={onDaysChanged}
          />
        }
      />
      <CardContent aria-busy={trend.isPlaceholderData}>
        {trend.data !== undefined ? (
          children(trend.data)
        ) : trend.isPending ? (
          <LoadingStatus>
            <Skeleton className={skeleton} />
          </LoadingStatus>
        ) : (
          <ProblemState
            error={trend.error}
            retrying={trend.isFetching}
            onRetry={() => void trend.refetch()}
          />
        )}
      </CardContent>
    </Card>
  );
}
