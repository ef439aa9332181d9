import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RubricSummary, SavedScorerSummary } from "@/api/types";
import { NAME_LINK, ResourceName } from "@/components/listing/resource-name";
import { CostBadge } from "@/components/scorer-options/cost-badge";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Column } from "@/components/ui/table";

function Kind({ scorer }: { scorer: SavedScorerSummary }) {
  const { t } = useTranslation();
  return (
    <span className="grid gap-0.5">
      <span>
        {scorer.is_negated ? t("scorers.not", { kind: scorer.kind_title }) : scorer.kind_title}
      </span>
      {scorer.rubric === null ? null : (
        <span className="text-xs text-ink-muted">
          {scorer.rubric.name} {scorer.rubric.version.label}
        </span>
      )}
    </span>
  );
}

export function useScorerColumns(slug: string): Column<SavedScorerSummary>[] {
  const { t } = useTranslation();
  return [
    {
      key: "name",
      primary: true,
      header: t("fields.name"),
      cell: ({ id, name, description, archived_at }) => (
        <ResourceName isArchived={archived_at !== null} note={description}>
          <Link
            to="/p/$slug/scorers/$scorerId"
            params={{ slug, scorerId: id }}
            className={NAME_LINK}
          >
            {name}
          </Link>
        </ResourceName>
      ),
      className: "lg:w-1/3",
    },
    {
      key: "kind",
      header: t("scorers.columns.kind"),
      cell: (scorer) => <Kind scorer={scorer} />,
    },
    {
      key: "cost",
      header: t("scorers.columns.cost"),
      cell: (scorer) => <CostBadge cost={scorer.cost_class} />,
    },
    {
      key: "version",
      header: t("scorers.columns.version"),
      cell: (scorer) => <code className="text-xs">{scorer.latest.label}</code>,
    },
    {
      key: "uses",
      header: t("scorers.columns.uses"),
      cell: (scorer) => (
        <span className="text-ink-muted tabular-nums">
          {scorer.run_count === 0
            ? t("scorers.columns.unused")
            : t("scorers.columns.runs", { count: scorer.run_count })}
        </span>
      ),
    },
    {
      key: "updated",
      header: t("scorers.columns.updated"),
      cell: (scorer) => (
        <RelativeTime iso={scorer.updated_at} className="whitespace-nowrap text-ink-muted" />
      ),
    },
  ];
}

export function useRubricColumns(slug: string): Column<RubricSummary>[] {
  const { t } = useTranslation();
  return [
    {
      key: "name",
      primary: true,
      header: t("fields.name"),
      cell: ({ id, name, description, archived_at }) => (
        <ResourceName isArchived={archived_at !== null} note={description}>
          <Link
            to="/p/$slug/scorers/rubrics/$rubricId"
            params={{ slug, rubricId: id }}
            className={NAME_LINK}
          >
            {name}
          </Link>
        </ResourceName>
      ),
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
  ];
}
