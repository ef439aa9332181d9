import { useQuery } from "@tanstack/react-query";
import { CircleHelp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "@/components/ui/skeleton";
import { Tooltip } from "@/components/ui/tooltip";
import { formatCost, formatNumber } from "@/lib/format";
import { totalsQuery } from "./queries";
import type { LedgerFilters } from "./view";

interface TotalProps {
  label: string;
  value: string | undefined;
  hint?: string;
}

function Total({ label, value, hint }: TotalProps) {
  const { t } = useTranslation();
  return (
    <div className="grid content-start gap-0.5">
      <dt className="flex items-center gap-1 text-xs text-ink-muted">
        {label}
        {hint === undefined ? null : (
          <Tooltip content={hint}>
            <button type="button" aria-label={t("budgets.ledger.explain", { label })}>
              <CircleHelp aria-hidden className="size-3.5" />
            </button>
          </Tooltip>
        )}
      </dt>
      <dd className="text-base font-semibold tabular-nums">
        {value ?? <Skeleton className="h-5 w-16" />}
      </dd>
    </div>
  );
}

interface Totals {
  calls: number;
  unpriced_calls: number;
  cost_usd: string;
}

/** The sum covers known prices only, and shows the number of unpriced calls. */
function Cost({ totals }: { totals: Totals | undefined }) {
  const { t } = useTranslation();
  const label = t("budgets.ledger.totals.cost");
  if (totals === undefined || totals.unpriced_calls === 0) {
    return <Total label={label} value={totals && formatCost(totals.cost_usd)} />;
  }
  const isKnown = totals.calls > totals.unpriced_calls;
  return (
    <Total
      label={label}
      value={isKnown ? formatCost(totals.cost_usd) : t("models.unknown")}
      hint={t("budgets.ledger.totals.unpriced", { count: totals.unpriced_calls })}
    />
  );
}

/** Totals of the filtered entries. */
export function LedgerTotals({ slug, filters }: { slug: string; filters: LedgerFilters }) {
  const { t } = useTranslation();
  const { data } = useQuery(totalsQuery(slug, filters));
  const count = (value: number | undefined) =>
    value === undefined ? undefined : formatNumber(value);
  const money = (value: string | undefined) =>
    value === undefined ? undefined : formatCost(value);
  return (
    <dl
      aria-label={t("budgets.ledger.totals.label")}
      className="grid grid-cols-2 gap-4 rounded-lg border border-border bg-surface px-4 py-3 sm:grid-cols-3 lg:grid-cols-4"
    >
      <Cost totals={data} />
      {Number(data?.simulated_usd ?? 0) > 0 ? (
        <Total
          label={t("budgets.ledger.totals.simulated")}
          value={money(data?.simulated_usd)}
          hint={t("budgets.ledger.hints.simulated")}
        />
      ) : null}
      <Total label={t("budgets.ledger.totals.calls")} value={count(data?.calls)} />
      <Total label={t("budgets.ledger.totals.input")} value={count(data?.input_tokens)} />
      <Total label={t("budgets.ledger.totals.output")} value={count(data?.output_tokens)} />
      <Total
        label={t("budgets.ledger.totals.reserved")}
        value={money(data?.reserved_usd)}
        hint={t("budgets.ledger.hints.reserved")}
      />
      {Number(data?.unanswered_usd ?? 0) > 0 ? (
        <Total
          label={t("budgets.ledger.totals.unanswered")}
          value={money(data?.unanswered_usd)}
          hint={t("budgets.ledger.hints.unanswered")}
        />
      ) : null}
      <Total
        label={t("budgets.ledger.totals.unconfirmed")}
        value={money(data?.unconfirmed_usd)}
        hint={t("budgets.ledger.hints.unconfirmed")}
      />
    </dl>
  );
}
