import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { trialQuery } from "@/api/scorers";
import type { ScorerKind, ScorerTrialRequest } from "@/api/types";
import { BenchRefused } from "@/components/scorer-bench/bench-refused";
import { BenchResult } from "@/components/scorer-bench/bench-result";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { Kbd } from "@/components/ui/kbd";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useDebounced } from "@/lib/hooks";
import { modKey } from "@/lib/shortcuts";
import { NO_SAMPLE, sampleOf } from "./sample";
import { SampleFields } from "./sample-fields";
import { settingsOf, type ScorerDraft } from "./scorer-draft";

/** Debounce delay of free trials in milliseconds. */
const DEBOUNCE_MS = 400;

type TrialRequest = ScorerTrialRequest & { turn: number };

export interface TestBenchProps {
  slug: string;
  kind: ScorerKind;
  draft: ScorerDraft;
}

/** Free scorers run while typing; scorers with a cost run on demand. */
function useTrial({ slug, kind, draft }: TestBenchProps) {
  const [sample, setSample] = useState(NO_SAMPLE);
  const [asked, setAsked] = useState<TrialRequest | null>(null);
  const isLive = kind.cost_class === "free";
  const { weight: _, ...settings } = settingsOf(draft);
  const filled = sampleOf(sample);
  const current: TrialRequest | null =
    filled === null
      ? null
      : {
          scorer: { kind: kind.kind, weight: 1, ...settings },
          sample: filled,
          is_cache_bypassed: false,
          turn: 0,
        };
  const rested = useDebounced(JSON.stringify(current), DEBOUNCE_MS);
  const wanted = isLive ? (JSON.parse(rested) as TrialRequest | null) : asked;
  const trial = useQuery({
    ...trialQuery(slug, wanted ?? { sample: { inputs: {} }, is_cache_bypassed: false, turn: 0 }),
    enabled: wanted !== null,
  });
  const basis = isLive
    ? rested
    : JSON.stringify(asked === null ? null : { ...asked, is_cache_bypassed: false, turn: 0 });
  const ask = (isCacheBypassed: boolean) => {
    if (current !== null) {
      const turn = (asked?.turn ?? 0) + 1;
      setAsked({ ...current, is_cache_bypassed: isCacheBypassed, turn });
    }
  };
  return {
    sample,
    setSample,
    isLive,
    trial,
    isAsked: wanted !== null,
    canTry: current !== null,
    isOld: basis !== JSON.stringify(current) || trial.isPlaceholderData,
    run: () => ask(false),
    runAnew: () => ask(true),
  };
}

/** Tries the scorer, as set in the form, on one answer. */
export function TestBench(props: TestBenchProps) {
  const { t } = useTranslation();
  const bench = useTrial(props);
  const { trial, isLive } = bench;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      bench.run();
    }
  };
  return (
    <Card aria-labelledby="test-bench" className="xl:sticky xl:top-20">
      <CardHeader
        id="test-bench"
        title={t("scorers.bench.title")}
        description={t(isLive ? "scorers.bench.live" : "scorers.bench.onDemand")}
      />
      <CardContent className="grid gap-5" onKeyDown={onKeyDown}>
        <SampleFields slug={props.slug} sample={bench.sample} onSampleChanged={bench.setSample} />
        {isLive ? null : (
          <div className="flex items-center justify-end gap-3">
            <span aria-hidden className="text-xs text-ink-muted">
              <Kbd keys={`${modKey} ↵`} />
            </span>
            <Button loading={trial.isFetching} disabled={!bench.canTry} onClick={bench.run}>
              <Play aria-hidden />
              {t("scorers.bench.run")}
            </Button>
          </div>
        )}
        <section aria-live="polite" aria-label={t("scorers.bench.result")} className="grid gap-4">
          {!bench.isAsked ? (
            <p className="text-sm text-ink-muted">{t("scorers.bench.nothing")}</p>
          ) : trial.isError ? (
            <BenchRefused error={trial.error} />
          ) : trial.data === undefined ? (
            <LoadingStatus>
              <Skeleton className="h-9 w-24" />
            </LoadingStatus>
          ) : (
            <BenchResult trial={trial.data} isOld={bench.isOld} onAskedAnew={bench.runAnew} />
          )}
        </section>
      </CardContent>
    </Card>
  );
}
