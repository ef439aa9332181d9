import { Link } from "@tanstack/react-router";
import { Archive } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SavedScorerSummary } from "@/api/types";
import { CostBadge } from "@/components/scorer-options/cost-badge";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { SavedMenu, type SavedCommand } from "./saved-menu";

export interface ScorerTableProps {
  slug: string;
  scorers: readonly SavedScorerSummary[];
  editable: boolean;
  onCommand: (command: SavedCommand, scorer: SavedScorerSummary) => void;
}

export function ArchivedBadge() {
  const { t } = useTranslation();
  return (
    <Badge tone="warning" icon={<Archive aria-hidden />}>
      {t("scorers.archivedBadge")}
    </Badge>
  );
}

function ScorerName({ slug, scorer }: { slug: string; scorer: SavedScorerSummary }) {
  return (
    <span className="grid min-w-0 gap-0.5 text-left">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        <Link
          to="/p/$slug/scorers/$scorerId"
          params={{ slug, scorerId: scorer.id }}
          className="min-w-0 rounded-sm font-medium wrap-anywhere hover:text-accent-ink hover:underline"
        >
          {scorer.name}
        </Link>
        {scorer.archived_at === null ? null : <ArchivedBadge />}
      </span>
      {scorer.description ? (
        <span className="line-clamp-1 text-xs text-ink-muted">{scorer.description}</span>
      ) : null}
    </span>
  );
}

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

export function ScorerTable({ slug, scorers, editable, onCommand }: ScorerTableProps) {
  const { t } = useTranslation();
  const columns: Column<SavedScorerSummary>[] = [
    {
      key: "name",
      primary: true,
      header: t("fields.name"),
      cell: (scorer) => <ScorerName slug={slug} scorer={scorer} />,
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
    {
      key: "actions",
      header: t("ui.actions"),
      hideHeader: true,
      align: "right",
      cell: (scorer) => (
        <SavedMenu saved={scorer} onCommand={(command) => onCommand(command, scorer)} />
      ),
    },
  ];
  return (
    <Table
      caption={t("scorers.title")}
      columns={editable ? columns : columns.filter(({ key }) => key !== "actions")}
      rows={scorers}
      rowKey={(scorer) => scorer.id}
    />
  );
}
