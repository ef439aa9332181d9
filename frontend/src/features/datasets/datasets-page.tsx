import { useQuery } from "@tanstack/react-query";
import { Database, FileUp, PencilLine, Plus, Tags } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { caseTagsQuery, datasetsQuery } from "@/api/datasets";
import type { CaseTag, DatasetSummary, Project } from "@/api/types";
import { FilterBar, FilterSelect, StatusFilter } from "@/components/listing/filter-bar";
import { wholeList } from "@/components/listing/paged-list";
import { ResourceList } from "@/components/listing/resource-list";
import { useResourceColumns } from "@/components/listing/columns";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/table";
import { formatNumber } from "@/lib/format";
import { can } from "@/lib/permissions";
import { arrangeDatasets, DATASET_SORTS, type DatasetView } from "./arrange";
import { DatasetDialog } from "./dataset-dialog";
import { TagBadges } from "./tag-badges";
import { TagsDialog } from "./tags-dialog";
import { useDatasetCommands } from "./use-dataset-commands";
import { ORIGINS } from "./view";

/** Why a dataset is created; decides what is opened afterwards. */
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

function Filters({ view, onViewChanged, tags }: DatasetsPageProps & { tags: readonly CaseTag[] }) {
  const { t } = useTranslation();
  const names = tags.map(({ name }) => name);
  const known = view.tag === undefined || names.includes(view.tag) ? names : [view.tag, ...names];
  const change = (part: DatasetView) => onViewChanged({ ...view, ...part });
  return (
    <FilterBar
      label={t("datasets.list.filters")}
      search={t("datasets.list.search")}
      q={view.q}
      onSearched={(q) => change({ q })}
    >
      <FilterSelect
        label={t("datasets.kind")}
        anything={t("datasets.list.anyKind")}
        value={view.kind}
        options={ORIGINS.map((value) => ({ value, label: t(`datasets.origins.${value}`) }))}
        onChosen={(kind) => change({ kind })}
      />
      {known.length > 0 ? (
        <FilterSelect
          label={t("datasets.columns.tags")}
          anything={t("datasets.filters.anyTag")}
          value={view.tag}
          options={known.map((value) => ({ value, label: value }))}
          onChosen={(tag) => change({ tag })}
        />
      ) : null}
      <StatusFilter value={view.status} onChosen={(status) => change({ status })} />
      <FilterSelect
        label={t("datasets.list.sort")}
        anything={t("datasets.list.sorts.updated")}
        value={view.sort}
        options={DATASET_SORTS.filter((sort) => sort !== "updated").map((value) => ({
          value,
          label: t(`datasets.list.sorts.${value}`),
        }))}
        onChosen={(sort) => change({ sort })}
      />
    </FilterBar>
  );
}

function useColumns(slug: string): Column<DatasetSummary>[] {
  const { t } = useTranslation();
  const columns = useResourceColumns<DatasetSummary>();
  return [
    columns.name({
      link: ({ id }) => ({ to: "/p/$slug/datasets/$datasetId", params: { slug, datasetId: id } }),
      note: ({ description }) => description,
    }),
    {
      key: "kind",
      header: t("datasets.kind"),
      cell: (dataset) => <Badge tone="outline">{t(`datasets.origins.${dataset.kind}`)}</Badge>,
    },
    {
      key: "tags",
      header: t("datasets.columns.tags"),
      cell: ({ tags }) => <TagBadges tags={tags} none={<span aria-hidden>—</span>} />,
    },
    {
      key: "cases",
      header: t("datasets.cases"),
      align: "right",
      cell: (dataset) => <span className="tabular-nums">{formatNumber(dataset.case_count)}</span>,
    },
    columns.time(
      "used",
      t("datasets.list.used"),
      ({ last_used_at }) => last_used_at,
      t("datasets.list.neverUsed"),
    ),
    columns.time("updated", t("datasets.list.updated"), ({ updated_at }) => updated_at),
  ];
}

function FirstActions({ onCreatingChanged }: Pick<DatasetsPageProps, "onCreatingChanged">) {
  const { t } = useTranslation();
  return (
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
  );
}

export function DatasetsPage(props: DatasetsPageProps) {
  const { project, view, creating, onCreatingChanged } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const edits = can(project.role, "datasets.edit");
  const { commandsOf, dialog } = useDatasetCommands(slug);
  const tags = useQuery(caseTagsQuery(slug)).data?.items ?? [];
  const [isManagingTags, setManagingTags] = useState(false);
  const tagged = tags.find(({ name }) => name === view.tag)?.datasets.map(({ id }) => id);
  const list = wholeList(useQuery(datasetsQuery(slug)), (datasets) =>
    arrangeDatasets(datasets, view, tagged === undefined ? undefined : new Set(tagged)),
  );
  const { sort, ...filters } = view;
  return (
    <ResourceList
      project={project}
      title={t("datasets.title")}
      description={t("datasets.description")}
      create={
        <>
          {tags.length > 0 ? (
            <Button variant="secondary" onClick={() => setManagingTags(true)}>
              <Tags aria-hidden />
              {t("datasets.columns.tags")}
            </Button>
          ) : null}
          {edits ? (
            <Button onClick={() => onCreatingChanged("cases")}>
              <Plus aria-hidden />
              {t("datasets.new")}
            </Button>
          ) : null}
        </>
      }
      above={
        edits ? null : (
          <Alert tone="info" live={false}>
            {t("datasets.readOnly")}
          </Alert>
        )
      }
      filterBar={<Filters {...props} tags={tags} />}
      filters={filters}
      onFiltersCleared={() => props.onViewChanged({ sort })}
      query={list}
      columns={useColumns(slug)}
      commandsOf={edits ? commandsOf : undefined}
      empty={{
        icon: <Database />,
        title: t("datasets.empty.title"),
        body: edits ? t("datasets.empty.body") : t("datasets.empty.askEditor"),
        action: edits ? <FirstActions onCreatingChanged={onCreatingChanged} /> : null,
      }}
    >
      <p role="status" className="sr-only">
        {list.data === undefined ? "" : t("datasets.list.found", { count: list.data.items.length })}
      </p>
      {dialog}
      {isManagingTags ? (
        <TagsDialog slug={slug} editable={edits} onClosed={() => setManagingTags(false)} />
      ) : null}
      {creating !== undefined && edits ? (
        <DatasetDialog
          slug={slug}
          onSaved={(dataset) => props.onDatasetCreated(dataset.id, creating)}
          onClosed={() => onCreatingChanged(undefined)}
        />
      ) : null}
    </ResourceList>
  );
}
