import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { scorerKindsQuery } from "@/api/scorers";
import type { CostClass, ScorerKind } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { CostBadge } from "@/components/scorer-options/cost-badge";
import { Badge } from "@/components/ui/badge";
import { SearchBox } from "@/components/search-box";
import { TableSkeleton } from "@/components/ui/skeleton";

export interface KindPickerProps {
  slug: string;
  onKindChosen: (kind: string) => void;
}

const GROUPS = [
  "text",
  "expected",
  "format",
  "limits",
  "judges",
  "safety",
  "own",
] as const satisfies readonly ScorerKind["group"][];

function KindCard({
  kind,
  onKindChosen,
}: { kind: ScorerKind } & Pick<KindPickerProps, "onKindChosen">) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      disabled={kind.obstacle !== null}
      onClick={() => onKindChosen(kind.kind)}
      className="grid content-start gap-2 rounded-xl border border-border bg-raised p-4 text-left transition-colors not-disabled:hover:border-accent-ink disabled:opacity-60"
    >
      <span className="flex flex-wrap items-center gap-2">
        <span className="text-sm font-semibold">{kind.title}</span>
        <CostBadge cost={kind.cost_class as CostClass} />
        {kind.needs_expected ? <Badge tone="outline">{t("runs.new.needsExpected")}</Badge> : null}
      </span>
      <span className="text-xs text-ink-muted">{kind.obstacle ?? kind.description}</span>
      <span className="text-xs wrap-anywhere text-ink-subtle">{kind.example}</span>
    </button>
  );
}

/** First step of a new scorer: its kind, which cannot be changed later. */
export function KindPicker({ slug, onKindChosen }: KindPickerProps) {
  const { t } = useTranslation();
  const id = useId();
  const [search, setSearch] = useState<string>();
  const kinds = useQuery(scorerKindsQuery(slug));
  if (kinds.isPending) {
    return <TableSkeleton rows={4} />;
  }
  if (kinds.isError) {
    return <ProblemState error={kinds.error} onRetry={() => void kinds.refetch()} />;
  }
  const wanted = (search ?? "").toLowerCase();
  const found = kinds.data.filter(({ title, description, example }) =>
    `${title} ${description} ${example}`.toLowerCase().includes(wanted),
  );
  const groups = GROUPS.map((group) => ({
    group,
    members: found.filter((kind) => kind.group === group),
  })).filter(({ members }) => members.length > 0);
  return (
    <div className="grid gap-4">
      <div className="max-w-md">
        <SearchBox label={t("scorers.new.search")} value={search} onValueChanged={setSearch} />
      </div>
      {found.length === 0 ? (
        <p className="text-sm text-ink-muted">{t("lists.noMatch")}</p>
      ) : (
        groups.map(({ group, members }) => (
          <section key={group} aria-labelledby={`${id}-${group}`} className="grid gap-2">
            <h2 id={`${id}-${group}`} className="text-sm font-semibold">
              {t(`scorers.new.groups.${group}`)}
            </h2>
            <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
              {members.map((kind) => (
                <li key={kind.kind} className="grid">
                  <KindCard kind={kind} onKindChosen={onKindChosen} />
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
    </div>
  );
}
