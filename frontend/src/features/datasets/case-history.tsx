import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Case, CaseVersion } from "@/api/types";
import { DiffView } from "@/components/diff-view";
import { ProblemState } from "@/components/problem-state";
import { Badge } from "@/components/ui/badge";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { FormSkeleton } from "@/components/ui/skeleton";
import type { DatasetAddress } from "@/api/case-imports";
import { caseVersionsQuery } from "./case-queries";
import { changedPlaces, placeKey, valueAt, type CaseDraft } from "./values";

type Entry = CaseDraft & Pick<CaseVersion, "version" | "updated_at"> & { author: string | null };

/** Only the fields changed by a version, so that long cases stay readable. */
function changed(before: CaseDraft, after: CaseDraft, side: CaseDraft): Record<string, unknown> {
  return Object.fromEntries(
    changedPlaces(before, after).map((place) => [placeKey(place), valueAt(side, place) ?? null]),
  );
}

function VersionItem({ entry, before }: { entry: Entry; before: Entry | undefined }) {
  const { t } = useTranslation();
  return (
    <li className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone="outline">v{entry.version}</Badge>
        {entry.author === null ? null : <span className="font-medium">{entry.author}</span>}
        <RelativeTime iso={entry.updated_at} className="text-ink-muted" />
      </p>
      {before === undefined ? (
        <p className="text-sm text-ink-muted">
          {entry.version === 1 ? t("datasets.history.first") : t("datasets.history.older")}
        </p>
      ) : changedPlaces(before, entry).length === 0 ? (
        <p className="text-sm text-ink-muted">{t("datasets.history.same")}</p>
      ) : (
        <DiffView
          caption={t("datasets.history.changes", { version: entry.version })}
          before={changed(before, entry, before)}
          after={changed(before, entry, entry)}
        />
      )}
    </li>
  );
}

/** Changes of each version of a case, the latest first. */
export function CaseHistory({ at, row }: { at: DatasetAddress; row: Case }) {
  const versions = useInfiniteQuery(caseVersionsQuery(at, row.id));
  if (versions.isPending) {
    return <FormSkeleton fields={3} />;
  }
  if (versions.isError) {
    return <ProblemState error={versions.error} onRetry={() => void versions.refetch()} />;
  }
  const { items, total } = versions.data;
  const entries: Entry[] = [{ ...row, author: null }, ...items];
  const shown = versions.hasNextPage ? entries.slice(0, -1) : entries;
  return (
    <div className="grid gap-4">
      <ol className="grid gap-6">
        {shown.map((entry, index) => (
          <VersionItem key={entry.version} entry={entry} before={entries[index + 1]} />
        ))}
      </ol>
      {versions.hasNextPage ? (
        <LoadMore
          shown={shown.length}
          total={total === null ? null : total + 1}
          hasMore
          loading={versions.isFetchingNextPage}
          onLoadMore={() => void versions.fetchNextPage()}
        />
      ) : null}
    </div>
  );
}
