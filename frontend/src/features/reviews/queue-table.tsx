import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { SuggestionSummary } from "@/api/types";
import { outOfTen } from "@/components/score-scale";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { withoutListMarks } from "@/lib/markdown";
import { isProposal, nameOf } from "./suggestion-name";
import { OriginBadge, RailBadges, StateBadge } from "./suggestion-badges";

interface CellProps {
  slug: string;
  suggestion: SuggestionSummary;
}

function placeOf(suggestion: SuggestionSummary, t: TFunction): string {
  if (isProposal(suggestion)) {
    return t("reviews.proposalOf");
  }
  return suggestion.iteration_number === null
    ? t("reviews.winnerOf")
    : t("reviews.candidateOf", {
        number: suggestion.number,
        iteration: suggestion.iteration_number,
      });
}

function Subject({ slug, suggestion }: CellProps) {
  const { t } = useTranslation();
  const place = placeOf(suggestion, t);
  return (
    <span className="grid min-w-0 gap-1 text-left">
      <Link
        to="/p/$slug/reviews/$suggestionId"
        params={{ slug, suggestionId: suggestion.id }}
        className="min-w-0 justify-self-start rounded-sm font-medium wrap-anywhere hover:text-accent-ink hover:underline"
      >
        {nameOf(suggestion, t)}
        <span className="sr-only"> {place}</span>
      </Link>
      <span className="line-clamp-2 max-w-xl wrap-anywhere text-ink-muted">
        {withoutListMarks(suggestion.note)}
      </span>
      <span className="flex flex-wrap items-center gap-1.5 text-xs text-ink-muted">
        <span aria-hidden>{place}</span>
        <OriginBadge origin={suggestion.origin} />
        <RailBadges violations={suggestion.violations} />
      </span>
    </span>
  );
}

function Targets({ suggestion }: { suggestion: SuggestionSummary }) {
  const { t } = useTranslation();
  if (suggestion.targets.length === 0) {
    return <span className="text-xs text-ink-subtle">{t("reviews.noTargets")}</span>;
  }
  return (
    <ul className="grid gap-1 max-lg:justify-items-end">
      {suggestion.targets.map(({ key, name, mean }) => (
        <li key={key} className="flex items-baseline gap-2">
          <span className="min-w-0 wrap-anywhere">{name}</span>
          <span className="shrink-0 text-xs text-ink-muted tabular-nums">
            {mean === null
              ? t("reviews.targets.unscored")
              : t("reviews.targets.score", { score: outOfTen(mean) })}
          </span>
        </li>
      ))}
    </ul>
  );
}

function ProposedBy({ suggestion }: { suggestion: SuggestionSummary }) {
  const { t } = useTranslation();
  return (
    <span className="grid gap-0.5 text-xs text-ink-muted">
      <RelativeTime iso={suggestion.created_at} />
      {suggestion.author === null ? null : (
        <span className="wrap-anywhere">{t("reviews.by", { who: suggestion.author })}</span>
      )}
    </span>
  );
}

function Status({ suggestion }: { suggestion: SuggestionSummary }) {
  const { t } = useTranslation();
  return (
    <span className="grid justify-items-start gap-1 text-xs text-ink-muted max-lg:justify-items-end">
      <StateBadge state={suggestion.state} />
      {suggestion.decided_at === null ? null : <RelativeTime iso={suggestion.decided_at} />}
      {suggestion.decided_by === null ? null : (
        <span className="wrap-anywhere">{t("reviews.by", { who: suggestion.decided_by })}</span>
      )}
    </span>
  );
}

export interface QueueTableProps {
  slug: string;
  suggestions: readonly SuggestionSummary[];
}

export function QueueTable({ slug, suggestions }: QueueTableProps) {
  const { t } = useTranslation();
  const columns: Column<SuggestionSummary>[] = [
    {
      key: "subject",
      header: t("reviews.columns.subject"),
      primary: true,
      cell: (suggestion) => <Subject slug={slug} suggestion={suggestion} />,
    },
    {
      key: "targets",
      header: t("reviews.columns.targets"),
      className: "lg:w-56",
      cell: (suggestion) => <Targets suggestion={suggestion} />,
    },
    {
      key: "when",
      header: t("reviews.columns.when"),
      className: "lg:w-40",
      cell: (suggestion) => <ProposedBy suggestion={suggestion} />,
    },
    {
      key: "state",
      header: t("reviews.columns.state"),
      className: "lg:w-44",
      cell: (suggestion) => <Status suggestion={suggestion} />,
    },
  ];
  return (
    <Table
      caption={t("reviews.title")}
      columns={columns}
      rows={suggestions}
      rowKey={({ id }) => id}
    />
  );
}
