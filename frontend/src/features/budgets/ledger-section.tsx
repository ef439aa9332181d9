import { useInfiniteQuery } from "@tanstack/react-query";
import { Download, ReceiptText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { LedgerEntry, Project } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Select } from "@/components/ui/select";
import { TableSkeleton } from "@/components/ui/skeleton";
import { can } from "@/lib/permissions";
import { isFiltered } from "@/lib/search";
import { LedgerFilterBar } from "./ledger-filters";
import { LedgerTable } from "./ledger-table";
import { LedgerTotals } from "./ledger-totals";
import { exportAddress, ledgerQuery } from "./queries";
import { ResolveChargeDialog } from "./resolve-charge-dialog";
import { filtersOf, LEDGER_SORTS, type BudgetView, type LedgerFilters } from "./view";

export interface LedgerSectionProps {
  project: Project;
  view: BudgetView;
  onViewChanged: (change: Partial<BudgetView>) => void;
}

function Entries({ project, view, onViewChanged }: LedgerSectionProps) {
  const { t } = useTranslation();
  const filters = filtersOf(view);
  const [resolved, setResolved] = useState<LedgerEntry | null>(null);
  const manages = can(project.role, "budgets.manage");
  const ledger = useInfiniteQuery(ledgerQuery(project.slug, filters, view.sort));
  const empty = isFiltered(filters) ? (
    <NoMatch />
  ) : (
    <EmptyState
      icon={<ReceiptText />}
      title={t("budgets.ledger.empty")}
      description={t("budgets.ledger.emptyHint")}
    />
  );
  return (
    <>
      <PagedList query={ledger} empty={empty} skeleton={<TableSkeleton rows={8} />}>
        {(entries) => (
          <LedgerTable
            entries={entries}
            onRunChosen={(run_id) => onViewChanged({ run_id })}
            onResolved={manages ? setResolved : undefined}
          />
        )}
      </PagedList>
      {resolved === null ? null : (
        <ResolveChargeDialog
          project={project}
          entry={resolved}
          onClosed={() => setResolved(null)}
        />
      )}
    </>
  );
}

export function LedgerSection(props: LedgerSectionProps) {
  const { project, view, onViewChanged } = props;
  const { t } = useTranslation();
  const filters: LedgerFilters = filtersOf(view);
  return (
    <section aria-labelledby="ledger-heading" className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="grid gap-1">
          <h2 id="ledger-heading" className="text-base font-semibold">
            {t("budgets.ledger.title")}
          </h2>
          <p className="text-sm text-ink-muted">{t("budgets.ledger.description")}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Select
            className="w-40"
            aria-label={t("budgets.ledger.sort.label")}
            value={view.sort ?? "newest"}
            options={(["newest", ...LEDGER_SORTS] as const).map((value) => ({
              value,
              label: t(`budgets.ledger.sort.${value}`),
            }))}
            onValueChanged={(sort) => onViewChanged({ sort: sort === "newest" ? undefined : sort })}
          />
          <Button variant="secondary" asChild>
            <a href={exportAddress(project.slug, filters)} download>
              <Download aria-hidden />
              {t("budgets.ledger.export")}
            </a>
          </Button>
        </div>
      </div>
      <LedgerFilterBar slug={project.slug} filters={filters} onFiltersChanged={onViewChanged} />
      <LedgerTotals slug={project.slug} filters={filters} />
      <Entries {...props} />
    </section>
  );
}
