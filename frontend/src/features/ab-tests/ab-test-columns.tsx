import { useTranslation } from "react-i18next";
import type { AbTestSummary } from "@/api/types";
import { useResourceColumns } from "@/components/listing/columns";
import type { Column } from "@/components/ui/table";
import { formatUsd } from "@/lib/format";
import { nameArm } from "./ab-test-view";
import { StateBadge } from "./state-badge";

export function useAbTestColumns(slug: string): Column<AbTestSummary>[] {
  const { t } = useTranslation();
  const columns = useResourceColumns<AbTestSummary>();
  return [
    columns.name({
      className: "lg:w-2/5",
      link: ({ id }) => ({ to: "/p/$slug/ab-tests/$testId", params: { slug, testId: id } }),
      note: ({ first, second }) =>
        t("abTests.versus", { first: nameArm(first), second: nameArm(second) }),
    }),
    {
      key: "state",
      header: t("abTests.columns.state"),
      cell: ({ state }) => <StateBadge state={state} />,
    },
    {
      key: "recommendation",
      header: t("abTests.columns.recommendation"),
      cell: ({ result }) => (result === null ? "—" : t(`abTests.advice.${result.recommendation}`)),
    },
    {
      key: "pairs",
      header: t("abTests.columns.pairs"),
      cell: ({ result, pairs }) => (
        <span className="whitespace-nowrap tabular-nums">
          {t("abTests.pairsOf", { done: result?.pairs ?? 0, planned: pairs })}
        </span>
      ),
    },
    {
      key: "cost",
      header: t("abTests.columns.cost"),
      cell: ({ cost_usd: cost }) => <span className="tabular-nums">{formatUsd(cost)}</span>,
    },
    columns.time("updated", t("abTests.columns.updated"), ({ updated_at }) => updated_at),
  ];
}
