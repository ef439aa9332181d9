import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { savedScorersQuery, scorerKindsQuery } from "@/api/scorers";
import type { Monitor, MonitorRules, ScorerRequest } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { formatNumber, formatPercent, formatUsd } from "@/lib/format";
import { BaselineCard } from "./baseline-card";
import { DEFAULT_RULES } from "./form/monitor-draft";
import { PromptWords } from "./monitor-columns";
import { NextTimes } from "./next-times";
import type { MonitorTabProps } from "./tab-props";

const LINK = "rounded-sm text-accent-ink hover:underline";

function ScorerNames({ slug, scorers }: { slug: string; scorers: readonly ScorerRequest[] }) {
  const { t } = useTranslation();
  const kinds = useQuery(scorerKindsQuery(slug));
  const saved = useQuery(savedScorersQuery(slug));
  const nameOf = ({ label, kind, scorer_version_id: versionId }: ScorerRequest) =>
    label ??
    saved.data?.find(({ latest }) => latest.id === versionId)?.name ??
    kinds.data?.find((known) => known.kind === kind)?.title ??
    t("scorers.earlier.title");
  return (
    <>
      <LoadError queries={[kinds, saved]} />
      {kinds.isPending || saved.isPending ? t("ui.loading") : scorers.map(nameOf).join(", ")}
    </>
  );
}

/** Rules that are on, in words. */
function useRuleWords(): (rules: MonitorRules) => string[] {
  const { t } = useTranslation();
  return ({ drop, predicted, errors, latency, cost, budget, not_running: notRunning }) => [
    ...(drop.kind === "off"
      ? []
      : [
          t(`monitors.rules.words.${drop.kind}`, {
            share: formatPercent(drop.threshold),
          }),
        ]),
    ...(predicted.is_on
      ? [t("monitors.rules.words.predicted", { score: formatNumber(predicted.threshold * 10) })]
      : []),
    ...(errors.is_on
      ? [t("monitors.rules.words.errors", { share: formatPercent(errors.max_share) })]
      : []),
    ...(latency.is_on
      ? [t("monitors.rules.words.latency", { ratio: formatNumber(latency.max_ratio) })]
      : []),
    ...(cost.is_on
      ? [t("monitors.rules.words.cost", { ratio: formatNumber(cost.max_ratio) })]
      : []),
    ...(budget ? [t("monitors.rules.words.budget")] : []),
    ...(notRunning ? [t("monitors.rules.words.notRunning")] : []),
  ];
}

function casesWords({ config: { cases } }: Monitor): string[] {
  const filter = cases?.filter ?? {};
  return [
    ...(cases?.case_ids == null ? [] : [formatNumber(cases.case_ids.length)]),
    ...Object.values(filter)
      .filter((value) => value !== null)
      .map(String),
    ...(cases?.limit == null ? [] : [`≤ ${formatNumber(cases.limit)}`]),
  ];
}

function Configuration({ at, monitor, editable }: MonitorTabProps) {
  const { t } = useTranslation();
  const words = useRuleWords();
  const slug = at.project;
  const { prompt, dataset, config, money } = monitor;
  const filter = casesWords(monitor);
  const promptLink =
    prompt.id === null ? (
      <PromptWords prompt={prompt} />
    ) : (
      <Link to="/p/$slug/prompts/$promptId" params={{ slug, promptId: prompt.id }} className={LINK}>
        <PromptWords prompt={prompt} />
      </Link>
    );
  const rows: [label: string, value: ReactNode][] = [
    [t("monitors.form.prompt"), promptLink],
    [
      t("monitors.form.dataset"),
      dataset === null ? (
        t("monitors.form.datasetDeleted")
      ) : (
        <>
          <Link
            to="/p/$slug/datasets/$datasetId"
            params={{ slug, datasetId: dataset.id }}
            className={LINK}
          >
            {dataset.name}
          </Link>
          {filter.length === 0 ? null : ` (${filter.join(", ")})`}
        </>
      ),
    ],
    [t("monitors.form.repeats"), formatNumber(config.repeats)],
    [t("monitors.form.models"), monitor.models.join(", ")],
    [t("monitors.form.scorers"), <ScorerNames key="s" slug={slug} scorers={config.scorers} />],
    [
      t("monitors.form.budget"),
      money.daily_budget_usd === null
        ? t("monitors.cost.noBudget")
        : formatUsd(money.daily_budget_usd),
    ],
    [
      t("monitors.form.rules"),
      <ul key="r" className="grid list-disc gap-1 pl-4">
        {words({ ...DEFAULT_RULES, ...config.rules }).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>,
    ],
  ];
  return (
    <Card aria-labelledby="monitor-configuration">
      <CardHeader
        id="monitor-configuration"
        title={t("monitors.settings.title")}
        actions={
          editable && monitor.archived_at === null ? (
            <Button asChild variant="secondary" size="sm">
              <Link to="/p/$slug/monitors/$monitorId/edit" params={{ slug, monitorId: monitor.id }}>
                <Pencil aria-hidden />
                {t("monitors.actions.edit")}
              </Link>
            </Button>
          ) : null
        }
      />
      <CardContent>
        <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
          {rows.map(([label, value]) => (
            <div key={label} className="grid gap-1 sm:contents">
              <dt className="text-ink-muted">{label}</dt>
              <dd className="min-w-0 wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      </CardContent>
    </Card>
  );
}

/** Configuration, schedule and baseline of a monitor. */
export function SettingsTab(props: MonitorTabProps) {
  const { monitor } = props;
  const { t } = useTranslation();
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
      <Configuration {...props} />
      <div className="grid gap-6">
        <Card aria-labelledby="monitor-schedule">
          <CardHeader
            id="monitor-schedule"
            title={t("monitors.schedule.title")}
            description={
              <>
                {monitor.schedule} (<code>{monitor.cron}</code>, UTC)
              </>
            }
          />
          <CardContent>
            {monitor.next_times.length === 0 ? (
              <p className="text-sm text-ink-muted">{t("monitors.schedule.paused")}</p>
            ) : (
              <NextTimes times={monitor.next_times} />
            )}
          </CardContent>
        </Card>
        <BaselineCard {...props} />
      </div>
    </div>
  );
}
