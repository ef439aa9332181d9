import { CircleCheck, CircleDashed, CircleHelp, CircleSlash } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { LedgerEntry } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { Tooltip } from "@/components/ui/tooltip";
import { failureLabel } from "@/lib/failures";
import { formatCost, formatNumber } from "@/lib/format";
import { purposeLabel } from "./words";

const LOOKS = {
  reserved: { tone: "info", icon: CircleDashed },
  settled: { tone: "neutral", icon: CircleCheck },
  released: { tone: "neutral", icon: CircleSlash },
  unconfirmed: { tone: "warning", icon: CircleHelp },
} as const;

function StateBadge({ entry }: { entry: LedgerEntry }) {
  const { t } = useTranslation();
  const { tone, icon: Icon } = LOOKS[entry.state];
  const hint = entry.state === "settled" ? "" : t(`budgets.ledger.hints.${entry.state}`);
  const badge = (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`budgets.ledger.states.${entry.state}`)}
    </Badge>
  );
  return entry.state === "settled" && entry.note === null ? (
    badge
  ) : (
    <Tooltip content={entry.note ?? hint}>
      <button type="button" className="rounded-full">
        {badge}
      </button>
    </Tooltip>
  );
}

function Cost({ entry }: { entry: LedgerEntry }) {
  const { t } = useTranslation();
  if (entry.cost_usd !== null) {
    return <span className="tabular-nums">{formatCost(entry.cost_usd)}</span>;
  }
  return (
    <span className="text-ink-subtle tabular-nums">
      {entry.state === "reserved" && entry.reserved_usd !== null
        ? t("budgets.ledger.atMost", { amount: formatCost(entry.reserved_usd) })
        : t("budgets.ledger.noPrice")}
    </span>
  );
}

function Tokens({ entry }: { entry: LedgerEntry }) {
  const { t } = useTranslation();
  if (entry.input_tokens === null || entry.output_tokens === null) {
    return <span className="text-ink-subtle">–</span>;
  }
  return (
    <span className="whitespace-nowrap text-ink-muted tabular-nums">
      {t("budgets.ledger.tokenCounts", {
        input: formatNumber(entry.input_tokens),
        output: formatNumber(entry.output_tokens),
      })}
    </span>
  );
}

export interface LedgerTableProps {
  entries: readonly LedgerEntry[];
  onRunChosen: (runId: string) => void;
  /** Undefined when the user may not resolve charges. */
  onResolved?: ((entry: LedgerEntry) => void) | undefined;
}

function useColumns({ onRunChosen, onResolved }: LedgerTableProps): Column<LedgerEntry>[] {
  const { t } = useTranslation();
  return [
    {
      key: "when",
      header: t("budgets.ledger.when"),
      cell: (entry) => (
        <RelativeTime iso={entry.created_at} className="whitespace-nowrap text-ink-muted" />
      ),
    },
    {
      key: "model",
      primary: true,
      header: t("budgets.ledger.model"),
      cell: (entry) => (
        <div className="grid min-w-0">
          <span className="max-w-72 truncate font-medium" title={entry.model}>
            {entry.model}
          </span>
          <span className="text-xs text-ink-muted">{entry.provider}</span>
        </div>
      ),
    },
    {
      key: "purpose",
      header: t("budgets.ledger.purpose"),
      cell: (entry) => (
        <div className="grid">
          {purposeLabel(entry.purpose)}
          {entry.run_id === null ? null : (
            <button
              type="button"
              className="justify-self-start rounded-sm text-xs text-accent-ink hover:underline max-lg:justify-self-end"
              onClick={() => onRunChosen(entry.run_id ?? "")}
            >
              {t("budgets.ledger.onlyRun", { id: entry.run_id.slice(-8) })}
            </button>
          )}
        </div>
      ),
    },
    {
      key: "state",
      header: t("budgets.ledger.state"),
      cell: (entry) => (
        <div className="flex flex-wrap gap-1 max-lg:justify-end">
          <StateBadge entry={entry} />
          {entry.calls === 1 ? null : (
            <Badge>{t("budgets.ledger.sum", { count: entry.calls })}</Badge>
          )}
          {entry.failure === null ? null : (
            <Badge tone="danger">
              {entry.is_unanswered
                ? t("budgets.ledger.unanswered", { failure: failureLabel(entry.failure) })
                : failureLabel(entry.failure)}
            </Badge>
          )}
          {entry.state === "unconfirmed" && onResolved !== undefined ? (
            <Button
              variant="secondary"
              size="sm"
              aria-label={t("budgets.ledger.resolve.label", { model: entry.model })}
              onClick={() => onResolved(entry)}
            >
              {t("budgets.ledger.resolve.action")}
            </Button>
          ) : null}
        </div>
      ),
    },
    {
      key: "tokens",
      header: t("budgets.ledger.tokens"),
      align: "right",
      cell: (entry) => <Tokens entry={entry} />,
    },
    {
      key: "cost",
      header: t("budgets.ledger.cost"),
      align: "right",
      cell: (entry) => <Cost entry={entry} />,
    },
  ];
}

export function LedgerTable(props: LedgerTableProps) {
  const { t } = useTranslation();
  return (
    <Table
      caption={t("budgets.ledger.title")}
      columns={useColumns(props)}
      rows={props.entries}
      rowKey={(entry) => entry.id}
    />
  );
}
