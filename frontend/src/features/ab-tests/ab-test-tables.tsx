import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { AbTest } from "@/api/types";
import { Table } from "@/components/ui/table";
import { formatCost, formatSeconds } from "@/lib/format";
import { meanOf, nameArm, parametersOf } from "./ab-test-view";

/** Scores, cost and time of both arms. */
export function Arms({ test }: { test: AbTest }) {
  const { t } = useTranslation();
  const rows = [
    {
      key: "first" as const,
      arm: test.first,
      usage: test.first_usage,
      mean: test.result?.first_mean,
    },
    {
      key: "second" as const,
      arm: test.second,
      usage: test.second_usage,
      mean: test.result?.second_mean,
    },
  ];
  return (
    <Table
      caption={t("abTests.arms.caption")}
      rows={rows}
      rowKey={({ key }) => key}
      columns={[
        {
          key: "arm",
          header: t("abTests.arms.arm"),
          primary: true,
          cell: ({ key, arm }) => (
            <span className="grid">
              <span className="font-medium">{t(`abTests.${key}`)}</span>
              <span className="text-xs wrap-anywhere text-ink-muted">{nameArm(arm)}</span>
              {parametersOf(arm) === "" ? null : (
                <span className="text-xs wrap-anywhere text-ink-muted">{parametersOf(arm)}</span>
              )}
            </span>
          ),
        },
        { key: "mean", header: t("abTests.arms.mean"), cell: ({ mean }) => meanOf(mean ?? null) },
        {
          key: "cost",
          header: t("abTests.arms.cost"),
          cell: ({ usage }) => (usage?.answer_usd == null ? "—" : formatCost(usage.answer_usd)),
        },
        {
          key: "seconds",
          header: t("abTests.arms.seconds"),
          cell: ({ usage }) =>
            usage?.mean_seconds == null ? "—" : formatSeconds(usage.mean_seconds),
        },
        {
          key: "failed",
          header: t("abTests.arms.failed"),
          cell: ({ usage }) => usage?.failed ?? "—",
        },
      ]}
    />
  );
}

/** The batches of a sampled test, with links to their runs. */
export function Batches({ slug, test }: { slug: string; test: AbTest }) {
  const { t } = useTranslation();
  return (
    <Table
      caption={t("abTests.batches.caption")}
      rows={test.batches}
      rowKey={({ number }) => String(number)}
      columns={[
        {
          key: "number",
          header: t("abTests.batches.number"),
          primary: true,
          cell: ({ number, run_id: runId }) =>
            runId === null ? (
              number
            ) : (
              <Link
                to="/p/$slug/runs/$runId"
                params={{ slug, runId }}
                className="rounded-sm text-accent-ink hover:underline"
              >
                {t("abTests.batches.run", { number })}
              </Link>
            ),
        },
        { key: "cases", header: t("abTests.batches.cases"), cell: ({ cases }) => cases },
        {
          key: "cost",
          header: t("abTests.batches.cost"),
          cell: ({ cost_usd: cost }) => formatCost(cost),
        },
      ]}
    />
  );
}
