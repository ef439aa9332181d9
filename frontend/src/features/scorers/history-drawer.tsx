import { useInfiniteQuery, useQuery, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Listing } from "@/api/pages";
import type { ContentChange, Rubric, SavedScorer } from "@/api/types";
import { PagedList } from "@/components/listing/paged-list";
import { ProblemState } from "@/components/problem-state";
import { labelOf } from "@/components/schema-form/schema";
import { Drawer } from "@/components/ui/drawer";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableSkeleton } from "@/components/ui/skeleton";
import { scorerChangesQuery, scorerVersionsQuery, type Sides } from "./queries";
import { rubricChangesQuery, rubricVersionsQuery } from "./rubric-queries";

interface Version {
  id: string;
  label: string;
  author: string | null;
  created_at: string;
}

/** A value on one line; changed texts are shown in full. */
function shown(value: unknown, nothing: string): string {
  if (value === null || value === undefined || value === "") {
    return nothing;
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

function Change({ change }: { change: ContentChange }) {
  const { t } = useTranslation();
  const nothing = t("scorers.history.nothing");
  return (
    <li className="grid gap-0.5 text-xs">
      <span className="font-medium">
        {change.path.map((part) => labelOf(part, {})).join(" › ")}
      </span>
      <span className="grid gap-0.5 wrap-anywhere whitespace-pre-wrap">
        {change.kind === "added" ? null : (
          <del className="text-danger">{shown(change.before, nothing)}</del>
        )}
        {change.kind === "removed" ? null : (
          <ins className="text-success no-underline">{shown(change.after, nothing)}</ins>
        )}
      </span>
    </li>
  );
}

interface ChangesProps {
  changes: { data: { changes: ContentChange[] } | undefined; error: unknown };
}

function Changes({ changes }: ChangesProps) {
  if (changes.error !== null) {
    return <ProblemState error={changes.error} />;
  }
  return (
    <ul className="grid gap-2 border-l-2 border-border pl-3">
      {changes.data?.changes.map((change) => (
        <Change key={change.path.join("/")} change={change} />
      ))}
    </ul>
  );
}

function ScorerChanges({ slug, id, sides }: { slug: string; id: string; sides: Sides }) {
  return <Changes changes={useQuery(scorerChangesQuery(slug, id, sides))} />;
}

function RubricChanges({ slug, id, sides }: { slug: string; id: string; sides: Sides }) {
  return <Changes changes={useQuery(rubricChangesQuery(slug, id, sides))} />;
}

interface VersionListProps {
  slug: string;
  id: string;
  versions: UseInfiniteQueryResult<Listing<Version>>;
  Between: typeof ScorerChanges;
}

/** Versions, newest first, with their changes. */
function VersionList({ slug, id, versions, Between }: VersionListProps) {
  const { t } = useTranslation();
  return (
    <PagedList query={versions} empty={null} skeleton={<TableSkeleton rows={3} />}>
      {(items) => (
        <ol className="grid gap-5">
          {items.map((version, index) => {
            const before = items[index + 1];
            return (
              <li key={version.id} className="grid gap-2">
                <p className="flex flex-wrap items-baseline gap-2">
                  <span className="font-mono text-sm font-semibold">{version.label}</span>
                  <span className="text-xs text-ink-muted">
                    {version.author ?? t("scorers.history.noAuthor")} ·{" "}
                    <RelativeTime iso={version.created_at} />
                  </span>
                </p>
                {before === undefined ? (
                  <p className="text-xs text-ink-muted">
                    {version.label === "v1" ? t("scorers.history.first") : null}
                  </p>
                ) : (
                  <Between slug={slug} id={id} sides={{ from: before.id, to: version.id }} />
                )}
              </li>
            );
          })}
        </ol>
      )}
    </PagedList>
  );
}

interface HistoryProps {
  slug: string;
  open: boolean;
  onOpenChanged: (open: boolean) => void;
}

function ScorerVersions({ slug, id }: { slug: string; id: string }) {
  const versions = useInfiniteQuery(scorerVersionsQuery(slug, id));
  return <VersionList slug={slug} id={id} versions={versions} Between={ScorerChanges} />;
}

function RubricVersions({ slug, id }: { slug: string; id: string }) {
  const versions = useInfiniteQuery(rubricVersionsQuery(slug, id));
  return <VersionList slug={slug} id={id} versions={versions} Between={RubricChanges} />;
}

export function ScorerHistory({ scorer, slug, ...drawer }: HistoryProps & { scorer: SavedScorer }) {
  const { t } = useTranslation();
  const title = t("scorers.history.title", { name: scorer.name });
  return (
    <Drawer {...drawer} title={title} description={t("scorers.history.hint")}>
      <ScorerVersions slug={slug} id={scorer.id} />
    </Drawer>
  );
}

export function RubricHistory({ rubric, slug, ...drawer }: HistoryProps & { rubric: Rubric }) {
  const { t } = useTranslation();
  const title = t("scorers.history.title", { name: rubric.name });
  return (
    <Drawer {...drawer} title={title} description={t("scorers.history.hint")}>
      <RubricVersions slug={slug} id={rubric.id} />
    </Drawer>
  );
}
