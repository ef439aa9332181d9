import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AuditEntry, Project } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { Button } from "@/components/ui/button";
import { DownloadMenu } from "@/components/ui/download-menu";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Table, type Column } from "@/components/ui/table";
import { useDocumentTitle } from "@/lib/hooks";
import { isFiltered } from "@/lib/search";
import { AuditEntryDrawer } from "./audit-entry-drawer";
import { AuditFilterBar } from "./audit-filters";
import { OutcomeBadge } from "./outcome-badge";
import { auditQuery, exportAddress, type AuditFilters, type ExportFormat } from "./queries";

export interface AuditPageProps {
  project: Project;
  filters: AuditFilters;
  onFiltersChanged: (filters: AuditFilters) => void;
}

const FORMATS: readonly ExportFormat[] = ["csv", "jsonl"];

function ExportMenu({ project, filters }: Pick<AuditPageProps, "project" | "filters">) {
  const { t } = useTranslation();
  return (
    <DownloadMenu
      label={t("audit.export.action")}
      files={FORMATS.map((format) => ({
        label: t(`audit.export.${format}`),
        address: exportAddress(project.slug, filters, format),
      }))}
    />
  );
}

function useColumns(onEntryOpened: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  const { t } = useTranslation();
  return [
    {
      key: "at",
      header: t("audit.when"),
      cell: (entry) => <RelativeTime iso={entry.at} className="whitespace-nowrap text-ink-muted" />,
    },
    {
      key: "actor",
      header: t("audit.actor"),
      cell: (entry) => (
        <span className="block max-w-56 truncate" title={entry.actor ?? undefined}>
          {entry.actor ?? <span className="text-ink-subtle">{t("audit.system")}</span>}
        </span>
      ),
    },
    {
      key: "action",
      primary: true,
      header: t("audit.action"),
      cell: (entry) => <code className="text-xs break-all">{entry.action}</code>,
    },
    {
      key: "entity",
      header: t("audit.entity"),
      cell: (entry) => <span className="text-ink-muted">{entry.entity_type}</span>,
    },
    {
      key: "outcome",
      header: t("audit.outcome.label"),
      cell: (entry) => <OutcomeBadge outcome={entry.outcome} />,
    },
    {
      key: "open",
      header: t("ui.actions"),
      hideHeader: true,
      align: "right",
      cell: (entry) => (
        <Button variant="ghost" size="sm" onClick={() => onEntryOpened(entry)}>
          {t("audit.details")} <span className="sr-only">{entry.action}</span>
        </Button>
      ),
    },
  ];
}

function AuditList({ project, filters }: Pick<AuditPageProps, "project" | "filters">) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const columns = useColumns(setOpened);
  const log = useInfiniteQuery({
    ...auditQuery(project.slug, filters),
    placeholderData: keepPreviousData,
  });
  const empty = isFiltered(filters) ? (
    <NoMatch />
  ) : (
    <EmptyState icon={<ScrollText />} title={t("audit.empty")} description={t("audit.emptyHint")} />
  );
  return (
    <>
      <PagedList query={log} empty={empty} skeleton={<TableSkeleton rows={8} />}>
        {(entries) => (
          <Table
            caption={t("audit.title")}
            columns={columns}
            rows={entries}
            rowKey={(entry) => entry.id}
            rowClassName={(entry) =>
              entry.outcome === "denied" ? "shadow-[inset_2px_0_0_var(--danger)]" : undefined
            }
          />
        )}
      </PagedList>
      <AuditEntryDrawer entry={opened} onClosed={() => setOpened(null)} />
    </>
  );
}

export function AuditPage({ project, filters, onFiltersChanged }: AuditPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("audit.title"), project.name);
  return (
    <div className="grid gap-6">
      <PageHeader
        title={t("audit.title")}
        description={t("audit.description")}
        actions={<ExportMenu project={project} filters={filters} />}
      />
      <AuditFilterBar filters={filters} onFiltersChanged={onFiltersChanged} />
      <AuditList project={project} filters={filters} />
    </div>
  );
}
