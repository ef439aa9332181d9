import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn, Sparkles } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Coverage, CoverageBucket, CoverageDimension } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Progress } from "@/components/ui/progress";
import { Segmented } from "@/components/ui/segmented";
import { CardGridSkeleton } from "@/components/ui/skeleton";
import { formatNumber, formatPercent } from "@/lib/format";
import type { DatasetAddress } from "@/api/case-imports";
import { coverageQuery } from "./case-queries";
import { bucketLabel } from "./coverage-words";
import type { DatasetOverlay } from "./overlay";

const BUCKETS_AT_ONCE = 8;

export interface CoverageTabProps {
  at: DatasetAddress;
  editable: boolean;
  onOverlayChanged: (overlay: DatasetOverlay) => void;
}

interface BucketProps {
  dimension: CoverageDimension;
  bucket: CoverageBucket;
  onGapWanted: (() => void) | null;
}

function BucketBar({ dimension, bucket, onGapWanted }: BucketProps) {
  const { t } = useTranslation();
  const label = bucketLabel(dimension.key, bucket.value);
  const reached = dimension.target === 0 ? 1 : Math.min(1, bucket.cases / dimension.target);
  return (
    <li className="grid gap-1">
      <div className="flex min-h-8 items-center gap-2 text-sm">
        <span className="min-w-0 flex-1 truncate" title={label}>
          {label}
        </span>
        {bucket.is_thin ? <Badge tone="warning">{t("datasets.coverage.thin")}</Badge> : null}
        <span className="text-xs text-ink-muted tabular-nums">
          {t("datasets.coverage.bucket", {
            count: bucket.cases,
            number: formatNumber(bucket.cases),
            share: formatPercent(bucket.share),
          })}
        </span>
        {bucket.is_thin && onGapWanted !== null ? (
          <Button variant="ghost" size="sm" onClick={onGapWanted}>
            {t("datasets.coverage.fill")} <span className="sr-only">{label}</span>
          </Button>
        ) : null}
      </div>
      <Progress
        label={t("datasets.coverage.reached", { name: label })}
        tone={bucket.is_thin ? "warning" : "accent"}
        value={Math.round(reached * 100)}
      />
    </li>
  );
}

interface DimensionProps {
  dimension: CoverageDimension;
  editable: boolean;
  onOverlayChanged: (overlay: DatasetOverlay) => void;
}

function DimensionCard({ dimension, editable, onOverlayChanged }: DimensionProps) {
  const { t } = useTranslation();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? dimension.buckets : dimension.buckets.slice(0, BUCKETS_AT_ONCE);
  const hidden = dimension.buckets.length - shown.length;
  const title = t(`datasets.coverage.dimensions.${dimension.key}`);
  return (
    <Card aria-label={title}>
      <CardHeader
        title={title}
        description={t("datasets.coverage.target", {
          count: dimension.target,
          number: formatNumber(dimension.target),
        })}
        actions={
          <span className="text-sm font-semibold tabular-nums">
            {t("datasets.coverage.covered", { share: formatPercent(dimension.coverage) })}
          </span>
        }
      />
      <CardContent className="grid gap-3">
        {dimension.buckets.length === 0 ? (
          <p className="text-sm text-ink-muted">{t("datasets.coverage.noBuckets")}</p>
        ) : (
          <ul className="grid gap-2">
            {shown.map((bucket) => (
              <BucketBar
                key={bucket.value}
                dimension={dimension}
                bucket={bucket}
                onGapWanted={
                  editable
                    ? () =>
                        onOverlayChanged({
                          generate: "gaps",
                          gap: `${title}: ${bucketLabel(dimension.key, bucket.value)}`,
                        })
                    : null
                }
              />
            ))}
          </ul>
        )}
        {hidden > 0 ? (
          <Button variant="ghost" size="sm" onClick={() => setShowsAll(true)}>
            {t("datasets.coverage.showAll", { count: hidden })}
          </Button>
        ) : null}
        {dimension.without > 0 ? (
          <p className="text-xs text-ink-muted">
            {t("datasets.coverage.without", {
              count: dimension.without,
              number: formatNumber(dimension.without),
            })}
          </p>
        ) : null}
      </CardContent>
    </Card>
  );
}

function CoverageTable({ coverage }: { coverage: Coverage }) {
  const { t } = useTranslation();
  return (
    <div className="overflow-x-auto rounded-lg border border-border">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">{t("datasets.coverage.title")}</caption>
        <thead>
          <tr className="border-b border-border bg-surface text-xs text-ink-muted">
            {(["dimension", "value", "cases", "share", "state"] as const).map((column) => (
              <th key={column} scope="col" className="px-4 py-2 font-medium">
                {t(`datasets.coverage.columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {coverage.dimensions.flatMap((dimension) =>
            dimension.buckets.map((bucket) => (
              <tr
                key={`${dimension.key} ${bucket.value}`}
                className="border-b border-border last:border-b-0"
              >
                <td className="px-4 py-2 text-ink-muted">
                  {t(`datasets.coverage.dimensions.${dimension.key}`)}
                </td>
                <td className="px-4 py-2 wrap-anywhere">
                  {bucketLabel(dimension.key, bucket.value)}
                </td>
                <td className="px-4 py-2 tabular-nums">{formatNumber(bucket.cases)}</td>
                <td className="px-4 py-2 tabular-nums">{formatPercent(bucket.share)}</td>
                <td className="px-4 py-2">
                  {bucket.is_thin ? t("datasets.coverage.thin") : t("datasets.coverage.enough")}
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}

/** Coverage of the cases as bars or as a table, with its gaps. */
export function CoverageTab({ at, editable, onOverlayChanged }: CoverageTabProps) {
  const { t } = useTranslation();
  const [shape, setShape] = useState<"bars" | "table">("bars");
  const coverage = useQuery(coverageQuery(at));
  if (coverage.isPending) {
    return <CardGridSkeleton count={4} />;
  }
  if (coverage.isError) {
    return <ProblemState error={coverage.error} onRetry={() => void coverage.refetch()} />;
  }
  if (coverage.data.cases === 0) {
    return (
      <EmptyState
        icon={<ChartNoAxesColumn />}
        title={t("datasets.coverage.empty")}
        description={t("datasets.coverage.emptyHint")}
      />
    );
  }
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-2xl text-sm text-pretty text-ink-muted">
          {t("datasets.coverage.description")}
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <Segmented
            label={t("datasets.coverage.shape")}
            value={shape}
            options={[
              { value: "bars", label: t("datasets.coverage.bars") },
              { value: "table", label: t("datasets.coverage.table") },
            ]}
            onValueChanged={setShape}
          />
          {editable && coverage.data.gaps.length > 0 ? (
            <Button variant="secondary" onClick={() => onOverlayChanged({ generate: "gaps" })}>
              <Sparkles aria-hidden />
              {t("datasets.coverage.fillAll")}
            </Button>
          ) : null}
        </div>
      </div>
      {shape === "table" ? (
        <CoverageTable coverage={coverage.data} />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          {coverage.data.dimensions.map((dimension) => (
            <DimensionCard
              key={dimension.key}
              dimension={dimension}
              editable={editable}
              onOverlayChanged={onOverlayChanged}
            />
          ))}
        </div>
      )}
    </div>
  );
}
