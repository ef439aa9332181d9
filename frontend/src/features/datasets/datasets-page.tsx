import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Database, FileUp, PencilLine, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { DatasetSummary, Project } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Table, type Column } from "@/components/ui/table";
import { formatNumber } from "@/lib/format";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { arrangeDatasets, type DatasetView } from "./arrange";
import { DatasetDialog } from "./dataset-dialog";
import { DatasetFilters } from "./dataset-filters";
import { DatasetMenu } from "./dataset-menu";
import { datasetListQuery } from "./queries";

/** Why a dataset is created: what to offer once it is there. */
export const CREATE_FOR = ["cases", "file", "case"] as const;
export type CreateFor = (typeof CREATE_FOR)[number];

export interface DatasetsPageProps {
  project: Project;
  view: DatasetView;
  onViewChanged: (view: DatasetView) => void;
  /** Undefined while the dialog is closed. */
  creating: CreateFor | undefined;
  onCreatingChanged: (creating: CreateFor | undefined) => void;
  onDatasetCreated: (datasetId: string, creating: CreateFor) => void;
}

function NoDatasets({ project, onCreatingChanged }: DatasetsPageProps) {
  const { t } = useTranslation();
  const edits = can(project.role, "datasets.edit");
  return (
    <EmptyState
      icon={<Database />}
      title={t("datasets.empty.title")}
      description={edits ? t("datasets.empty.body") : t("datasets.empty.askEditor")}
      action={
        edits ? (
          <div className="flex flex-wrap justify-center gap-2">
            <Button onClick={() => onCreatingChanged("file")}>
              <FileUp aria-hidden />
              {t("datasets.import.action")}
            </Button>
            <Button variant="secondary" onClick={() => onCreatingChanged("case")}>
              <PencilLine aria-hidden />
              {t("datasets.empty.write")}
            </Button>
          </div>
        ) : undefined
      }
    />
  );
}

function NameCell({ slug, dataset }: { slug: string; dataset: DatasetSummary }) {
  const { t } = useTranslation();
  return (
    <div className="grid min-w-0 gap-0.5 text-left">
      <span className="flex flex-wrap items-center gap-2">
        <Link
          to="/p/$slug/datasets/$datasetId"
          params={{ slug, datasetId: dataset.id }}
          className="min-w-0 rounded-sm font-medium wrap-anywhere hover:text-accent-ink hover:underline"
        >
          {dataset.name}
        </Link>
        {dataset.archived_at === null ? null : (
          <Badge tone="warning">{t("datasets.list.statuses.archived")}</Badge>
        )}
      </span>
      {dataset.description === null ? null : (
        <span className="line-clamp-2 text-xs wrap-anywhere text-ink-muted">
          {dataset.description}
        </span>
      )}
    </div>
  );
}

function useColumns(slug: string, editable: boolean): Column<DatasetSummary>[] {
  const { t } = useTranslation();
  const columns: Column<DatasetSummary>[] = [
    {
      key: "name",
      primary: true,
      header: t("fields.name"),
      cell: (dataset) => <NameCell slug={slug} dataset={dataset} />,
    },
    {
      key: "kind",
      header: t("datasets.kind"),
      cell: (dataset) => <Badge tone="outline">{t(`datasets.origins.${dataset.kind}`)}</Badge>,
    },
    {
      key: "cases",
      header: t("datasets.cases"),
      align: "right",
      cell: (dataset) => <span className="tabular-nums">{formatNumber(dataset.case_count)}</span>,
    },
    {
      key: "used",
      header: t("datasets.list.used"),
      align: "right",
      cell: (dataset) =>
        dataset.last_used_at === null ? (
          <span className="text-ink-subtle">{t("datasets.list.neverUsed")}</span>
        ) : (
          <RelativeTime iso={dataset.last_used_at} className="whitespace-nowrap text-ink-muted" />
        ),
    },
    {
      key: "updated",
      header: t("datasets.list.updated"),
      align: "right",
      cell: (dataset) => (
        <RelativeTime iso={dataset.updated_at} className="whitespace-nowrap text-ink-muted" />
      ),
    },
  ];
  if (editable) {
    columns.push({
      key: "actions",
      header: t("ui.actions"),
      hideHeader: true,
      align: "right",
      className: "lg:w-16",
      cell: (dataset) => <DatasetMenu slug={slug} dataset={dataset} onDeleted={() => undefined} />,
    });
  }
  return columns;
}

function DatasetList(props: DatasetsPageProps & { datasets: readonly DatasetSummary[] }) {
  const { project, datasets, view, onViewChanged } = props;
  const { t } = useTranslation();
  const columns = useColumns(project.slug, can(project.role, "datasets.edit"));
  if (datasets.length === 0) {
    return <NoDatasets {...props} />;
  }
  const shown = arrangeDatasets(datasets, view);
  return (
    <div className="grid gap-6">
      <DatasetFilters view={view} onViewChanged={onViewChanged} />
      <p role="status" className="sr-only">
        {t("datasets.list.found", { count: shown.length })}
      </p>
      {shown.length === 0 ? (
        <NoMatch onFiltersCleared={() => onViewChanged({ sort: view.sort })} />
      ) : (
        <Table
          caption={t("datasets.title")}
          columns={columns}
          rows={shown}
          rowKey={(dataset) => dataset.id}
        />
      )}
    </div>
  );
}

export function DatasetsPage(props: DatasetsPageProps) {
  const { project, creating, onCreatingChanged } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("datasets.title"), project.name);
  const datasets = useQuery(datasetListQuery(project.slug));
  const edits = can(project.role, "datasets.edit");
  let content: ReactNode = <TableSkeleton rows={4} />;
  if (datasets.data !== undefined) {
    content = <DatasetList {...props} datasets={datasets.data} />;
  } else if (datasets.isError) {
    content = <ProblemState error={datasets.error} onRetry={() => void datasets.refetch()} />;
  }
  return (
    <div className="grid gap-6">
      <PageHeader
        title={t("datasets.title")}
        description={t("datasets.description")}
        actions={
          edits ? (
            <Button onClick={() => onCreatingChanged("cases")}>
              <Plus aria-hidden />
              {t("datasets.new")}
            </Button>
          ) : null
        }
      />
      {edits ? null : (
        <Alert tone="info" live={false}>
          {t("datasets.readOnly")}
        </Alert>
      )}
      {content}
      {creating !== undefined && edits ? (
        <DatasetDialog
          slug={project.slug}
          onSaved={(dataset) => props.onDatasetCreated(dataset.id, creating)}
          onClosed={() => onCreatingChanged(undefined)}
        />
      ) : null}
    </div>
  );
}
