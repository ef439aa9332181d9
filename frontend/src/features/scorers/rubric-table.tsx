import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RubricSummary } from "@/api/types";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { SavedMenu, type SavedCommand } from "./saved-menu";
import { ArchivedBadge } from "./scorer-table";

export interface RubricTableProps {
  slug: string;
  rubrics: readonly RubricSummary[];
  editable: boolean;
  onCommand: (command: SavedCommand, rubric: RubricSummary) => void;
}

function RubricName({ slug, rubric }: { slug: string; rubric: RubricSummary }) {
  return (
    <span className="grid min-w-0 gap-0.5 text-left">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        <Link
          to="/p/$slug/scorers/rubrics/$rubricId"
          params={{ slug, rubricId: rubric.id }}
          className="min-w-0 rounded-sm font-medium wrap-anywhere hover:text-accent-ink hover:underline"
        >
          {rubric.name}
        </Link>
        {rubric.archived_at === null ? null : <ArchivedBadge />}
      </span>
      {rubric.description ? (
        <span className="line-clamp-1 text-xs text-ink-muted">{rubric.description}</span>
      ) : null}
    </span>
  );
}

export function RubricTable({ slug, rubrics, editable, onCommand }: RubricTableProps) {
  const { t } = useTranslation();
  const columns: Column<RubricSummary>[] = [
    {
      key: "name",
      primary: true,
      header: t("fields.name"),
      cell: (rubric) => <RubricName slug={slug} rubric={rubric} />,
      className: "lg:w-1/3",
    },
    {
      key: "criteria",
      header: t("scorers.columns.criteria"),
      cell: (rubric) => (
        <span className="line-clamp-2 text-ink-muted">{rubric.criterion_names.join(", ")}</span>
      ),
    },
    {
      key: "version",
      header: t("scorers.columns.version"),
      cell: (rubric) => <code className="text-xs">{rubric.latest.label}</code>,
    },
    {
      key: "uses",
      header: t("scorers.columns.uses"),
      cell: (rubric) => (
        <span className="whitespace-nowrap text-ink-muted tabular-nums">
          {rubric.scorer_count === 0
            ? t("scorers.columns.unused")
            : t("scorers.columns.scorers", { count: rubric.scorer_count })}
        </span>
      ),
    },
    {
      key: "updated",
      header: t("scorers.columns.updated"),
      cell: (rubric) => (
        <RelativeTime iso={rubric.updated_at} className="whitespace-nowrap text-ink-muted" />
      ),
    },
    {
      key: "actions",
      header: t("ui.actions"),
      hideHeader: true,
      align: "right",
      cell: (rubric) => (
        <SavedMenu saved={rubric} onCommand={(command) => onCommand(command, rubric)} />
      ),
    },
  ];
  return (
    <Table
      caption={t("scorers.rubrics.title")}
      columns={editable ? columns : columns.filter(({ key }) => key !== "actions")}
      rows={rubrics}
      rowKey={(rubric) => rubric.id}
    />
  );
}
