import { useTranslation } from "react-i18next";
import type { RubricSummary, SavedScorerSummary } from "@/api/types";
import { useResourceColumns } from "@/components/listing/columns";
import { CostBadge } from "@/components/scorer-options/cost-badge";
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
  const columns = useResourceColumns<SavedScorerSummary>();
  return [
    columns.name({
      link: ({ id }) => ({ to: "/p/$slug/scorers/$scorerId", params: { slug, scorerId: id } }),
      note: ({ description }) => description,
    }),
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
    columns.version(t("scorers.columns.version")),
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
    columns.time("updated", t("scorers.columns.updated"), ({ updated_at }) => updated_at),
  ];
}

export function useRubricColumns(slug: string): Column<RubricSummary>[] {
  const { t } = useTranslation();
  const columns = useResourceColumns<RubricSummary>();
  return [
    columns.name({
      link: ({ id }) => ({
        to: "/p/$slug/scorers/rubrics/$rubricId",
        params: { slug, rubricId: id },
      }),
      note: ({ description }) => description,
    }),
    {
      key: "criteria",
      header: t("scorers.columns.criteria"),
      cell: (rubric) => (
        <span className="line-clamp-2 text-ink-muted">{rubric.criterion_names.join(", ")}</span>
      ),
    },
    columns.version(t("scorers.columns.version")),
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
    columns.time("updated", t("scorers.columns.updated"), ({ updated_at }) => updated_at),
  ];
}
