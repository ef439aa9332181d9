import "./spending-texts";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Spending } from "@/api/types";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Button } from "@/components/ui/button";
import { Table, type Column } from "@/components/ui/table";
import { formatCost, formatNumber } from "@/lib/format";
import type { SpendingDays } from "./view";
import { originLabel, purposeLabel } from "./words";

type Group = Spending["groups"][number];

interface SpendingGroupsProps {
  slug: string;
  spending: Spending;
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
export function SpendingGroups({ slug, spending, days }: SpendingGroupsProps) {
  const { t } = useTranslation();
  const { by, groups } = spending;
  const file = `/api/v1/projects/${encodeURIComponent(slug)}/budgets/spending/export?by=${by}&days=${days}`;
  const number = (key: "calls" | "input_tokens" | "output_tokens"): Column<Group> => ({
    key,
    header: t(`spendingGroups.${key}`),
    align: "right",
    cell: (group) => <span className="tabular-nums">{formatNumber(group[key])}</span>,
  });
  return (
    <div className="mt-6 grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">{t(`spendingGroups.by.${by}`)}</h3>
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
        rows={groups}
        rowKey={({ name, run_id, is_simulated }) => `${run_id ?? name}-${is_simulated}`}
      />
    </div>
  );
}
