import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Spending } from "@/api/types";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Button } from "@/components/ui/button";
import { Table, type Column } from "@/components/ui/table";
import { formatCost, formatNumber } from "@/lib/format";
import { spendingQuery } from "./queries";
import type { SpendingBy, SpendingDays } from "./view";
import { originLabel, purposeLabel } from "./words";

const SHOWN_FIRST = 8;

type Group = Spending["groups"][number];

interface SpendingGroupsProps {
  slug: string;
  by: SpendingBy;
  days: SpendingDays;
}

function GroupName({ slug, by, group }: { slug: string; by: Spending["by"]; group: Group }) {
  const { t } = useTranslation();
  const { name, run_id } = group;
  if (run_id !== null) {
    return name === null ? (
      <span className="text-ink-muted">{t("spendingGroups.deletedRun")}</span>
    ) : (
      <Link
        to="/p/$slug/runs/$runId"
        params={{ slug, runId: run_id }}
        className="wrap-anywhere text-accent-ink hover:underline"
      >
        {name}
      </Link>
    );
  }
  if (name === null) {
    return by === "day" ? t("budgets.spending.all") : originLabel("outside");
  }
  if (by === "purpose") {
    return purposeLabel(name);
  }
  return <span className="wrap-anywhere">{by === "origin" ? originLabel(name) : name}</span>;
}

/** Calls, tokens and cost of each group, with a download. */
export function SpendingGroups({ slug, by, days }: SpendingGroupsProps) {
  const { t } = useTranslation();
  // The card above tells why it failed, or that there is nothing.
  const groups = useQuery(spendingQuery(slug, by, days)).data?.groups ?? [];
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? groups : groups.slice(0, SHOWN_FIRST);
  const file = `/api/v1/projects/${encodeURIComponent(slug)}/budgets/spending/export?by=${by}&days=${days}`;
  const number = (key: "calls" | "input_tokens" | "output_tokens"): Column<Group> => ({
    key,
    header: t(`spendingGroups.${key}`),
    align: "right",
    cell: (group) => <span className="tabular-nums">{formatNumber(group[key])}</span>,
  });
  if (groups.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby="spending-groups-heading" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="spending-groups-heading" className="text-base font-semibold">
          {t(`spendingGroups.by.${by}`)}
        </h2>
        <Button asChild variant="secondary" size="sm">
          <a href={file} download>
            <Download aria-hidden />
            {t("spendingGroups.csv")}
          </a>
        </Button>
      </div>
      <Table
        caption={t(`spendingGroups.by.${by}`)}
        columns={[
          {
            key: "name",
            header: t("spendingGroups.name"),
            primary: true,
            cell: (group) => (
              <span className="flex flex-wrap items-center gap-2">
                <GroupName slug={slug} by={by} group={group} />
                {group.is_simulated ? <SimulatedBadge /> : null}
              </span>
            ),
          },
          number("calls"),
          number("input_tokens"),
          number("output_tokens"),
          {
            key: "cost",
            header: t("spendingGroups.cost"),
            align: "right",
            cell: ({ cost_usd }) => <span className="tabular-nums">{formatCost(cost_usd)}</span>,
          },
        ]}
        rows={shown}
        rowKey={({ name, run_id, is_simulated }) => `${run_id ?? name}-${is_simulated}`}
      />
      {shown.length < groups.length ? (
        <Button
          variant="ghost"
          size="sm"
          className="justify-self-start"
          onClick={() => setWhole(true)}
        >
          {t("spendingGroups.showAll", { count: groups.length })}
        </Button>
      ) : null}
    </section>
  );
}
