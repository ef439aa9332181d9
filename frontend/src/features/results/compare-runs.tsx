import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RunComparison, VariantComparison } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { ProblemState } from "@/components/problem-state";
import { changeOutOfTen } from "@/components/score-scale";
import { Alert } from "@/components/ui/alert";
import { Card } from "@/components/ui/card";
import { Explained } from "@/components/ui/explained";
import { Select } from "@/components/ui/select";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { CaseDeltas } from "./case-deltas";
import { comparisonQuery, otherRunsQuery } from "./queries";
import { Section } from "@/components/results/section";
import { useEvidence, VerdictChip } from "@/components/results/verdict";

const NONE = "none";

interface PairVerdictProps {
  found: RunComparison;
  comparison: VariantComparison;
}

function PairVerdict({ found, comparison }: PairVerdictProps) {
  const { t } = useTranslation();
  const evidence = useEvidence();
  const { verdict, difference, improved, regressed, unchanged } = comparison;
  return (
    <Card className="grid gap-2 p-5">
      <p className="text-xs text-ink-muted">
        {found.baseline.variants[comparison.baseline]} → {found.other.variants[comparison.other]}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <p className="font-medium">
          <Explained
            text={t(`results.compare.sentence.${verdict}`, {
              name: found.baseline.name,
              change:
                difference.value === null ? t("ui.unknown") : changeOutOfTen(difference.value),
            })}
          />
        </p>
        <VerdictChip verdict={verdict} />
      </div>
      <p className="text-sm text-ink-muted tabular-nums">
        {t("results.compare.counts", {
          improved,
          regressed,
          unchanged,
          cases: t("results.cases", { count: difference.cases }),
        })}
        {" · "}
        <Explained text={evidence(comparison)} />
      </p>
    </Card>
  );
}

interface ComparedProps {
  slug: string;
  runId: string;
  baselineId: string;
  variant: number | undefined;
  onVariantChanged: (variant: number) => void;
  onOutputOpened: (outputId: string) => void;
  /** Whether the page was opened for this comparison. */
  isTarget: boolean;
}

function Compared(props: ComparedProps) {
  const { slug, runId, baselineId, variant, onVariantChanged, onOutputOpened, isTarget } = props;
  const { t } = useTranslation();
  const section = useRef<HTMLDivElement>(null);
  const query = useQuery(comparisonQuery(slug, runId, baselineId, {}));
  const isShown = query.data !== undefined;
  useEffect(() => {
    if (isTarget && isShown) {
      section.current?.scrollIntoView({ block: "start" });
    }
  }, [isTarget, isShown]);
  if (query.isPending) {
    return (
      <LoadingStatus>
        <Skeleton className="h-32 rounded-xl" />
      </LoadingStatus>
    );
  }
  if (query.isError) {
    return <ProblemState error={query.error} onRetry={() => void query.refetch()} />;
  }
  const found = query.data;
  const shown = found.comparisons.find(({ other }) => other === variant) ?? found.comparisons[0];
  if (found.shared_cases === 0 || shown === undefined) {
    const why = found.shared_cases === 0 ? "noShared" : "noPairs";
    return <Alert tone="info">{t(`results.compare.${why}`)}</Alert>;
  }
  return (
    <div ref={section} className="grid scroll-mt-32 grid-cols-1 gap-4">
      {found.comparisons.length > 1 ? (
        <Select
          className="w-full max-w-sm"
          aria-label={t("results.compare.variant")}
          value={String(shown.other)}
          options={found.comparisons.map(({ other }) => ({
            value: String(other),
            label: found.other.variants[other] ?? "",
          }))}
          onValueChanged={(value) => onVariantChanged(Number(value))}
        />
      ) : null}
      <PairVerdict found={found} comparison={shown} />
      {found.only_in_baseline + found.only_in_other > 0 ? (
        <p className="text-sm text-ink-muted">
          {t("results.compare.unpaired", {
            mine: t("results.cases", { count: found.only_in_other }),
            theirs: t("results.cases", { count: found.only_in_baseline }),
          })}
        </p>
      ) : null}
      <CaseDeltas
        slug={slug}
        runId={runId}
        baselineId={baselineId}
        pair={{ baseline: shown.baseline, variant: shown.other }}
        onOutputOpened={onOutputOpened}
      />
    </div>
  );
}

export interface CompareRunsProps {
  slug: string;
  runId: string;
  baselineId: string | undefined;
  onBaselineChanged: (runId: string | undefined) => void;
  /** Position of the compared variant; the first by default. */
  variant: number | undefined;
  onVariantChanged: (variant: number) => void;
  onOutputOpened: (outputId: string) => void;
}

/** Compares this run with another one, case by case. */
export function CompareRuns(props: CompareRunsProps) {
  const { slug, runId, baselineId, onBaselineChanged } = props;
  const { t } = useTranslation();
  const [openedFor] = useState(baselineId);
  const runs = useQuery(otherRunsQuery(slug));
  const others = (runs.data?.items ?? []).filter((run) => run.id !== runId);
  return (
    <Section
      title={t("results.compare.title")}
      hint={t("results.compare.hint")}
      actions={
        <Select
          className="w-72"
          aria-label={t("results.compare.pick")}
          value={baselineId ?? NONE}
          options={[
            {
              value: NONE,
              label:
                runs.isSuccess && others.length === 0
                  ? t("results.compare.none")
                  : t("results.compare.choose"),
            },
            ...others.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValueChanged={(value) => onBaselineChanged(value === NONE ? undefined : value)}
        />
      }
    >
      <LoadError queries={[runs]} />
      {baselineId === undefined ? null : (
        <Compared
          key={baselineId}
          slug={slug}
          runId={runId}
          baselineId={baselineId}
          variant={props.variant}
          onVariantChanged={props.onVariantChanged}
          onOutputOpened={props.onOutputOpened}
          isTarget={baselineId === openedFor}
        />
      )}
    </Section>
  );
}
