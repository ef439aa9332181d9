import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DuplicateGroup } from "@/api/types";
import { FormAlert } from "@/components/form-alert";
import { ProblemState } from "@/components/problem-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { FormSkeleton, Skeleton } from "@/components/ui/skeleton";
import { formatNumber, formatPercent, truncate } from "@/lib/format";
import type { DatasetAddress } from "@/api/case-imports";
import { caseQuery, duplicatesQuery } from "./case-queries";
import { useBulk } from "./use-bulk";
import { explain } from "./use-save-case";
import { showValue } from "./values";

const GROUPS_AT_ONCE = 10;
const CASES_AT_ONCE = 5;

export interface DuplicatesDialogProps {
  at: DatasetAddress;
  editable: boolean;
  onClosed: () => void;
}

interface GroupProps {
  at: DatasetAddress;
  group: DuplicateGroup;
  editable: boolean;
  chosen: ReadonlySet<string>;
  onChosenChanged: (id: string, wanted: boolean) => void;
}

function GroupItem({ at, group, editable, chosen, onChosenChanged }: GroupProps) {
  const { t } = useTranslation();
  const shown = group.cases.slice(0, CASES_AT_ONCE);
  const rows = useQueries({ queries: shown.map(({ id }) => caseQuery(at, id)) });
  return (
    <li className="grid gap-2 rounded-lg border border-border p-4">
      <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
        <Badge tone={group.kind === "exact" ? "warning" : "info"}>
          {t(`datasets.duplicates.${group.kind}`)}
        </Badge>
        {t("datasets.duplicates.alike", { count: group.cases.length })}
      </p>
      <ul className="grid gap-2">
        {shown.map((each, index) => {
          const row = rows[index];
          const texts = Object.values(row?.data?.inputs ?? {}).map(showValue);
          const label = (
            <span className="wrap-anywhere">
              <span className="font-medium tabular-nums">
                {t("datasets.case", { position: each.position })}
              </span>{" "}
              {row?.isPending ? (
                <Skeleton className="mt-1 h-3.5 w-72 max-w-full" />
              ) : (
                <bdi>{truncate(texts.join(" · "), 240)}</bdi>
              )}
            </span>
          );
          const hint = t("datasets.duplicates.similarity", {
            share: formatPercent(each.similarity),
          });
          return (
            <li key={each.id}>
              {editable ? (
                <Checkbox
                  label={label}
                  description={index === 0 ? t("datasets.duplicates.first") : hint}
                  checked={chosen.has(each.id)}
                  onCheckedChanged={(wanted) => onChosenChanged(each.id, wanted)}
                />
              ) : (
                label
              )}
            </li>
          );
        })}
      </ul>
      {group.cases.length > shown.length ? (
        <p className="text-xs text-ink-muted">
          {t("datasets.duplicates.more", { count: group.cases.length - shown.length })}
        </p>
      ) : null}
    </li>
  );
}

/** All but the first case of every group of exact duplicates, preselected for deletion. */
function exactCopies(groups: readonly DuplicateGroup[]): Set<string> {
  const exact = groups.filter(({ kind }) => kind === "exact");
  return new Set(exact.flatMap((group) => group.cases.slice(1).map(({ id }) => id)));
}

export function DuplicatesDialog({ at, editable, onClosed }: DuplicatesDialogProps) {
  const { t } = useTranslation();
  const found = useQuery(duplicatesQuery(at));
  const [picked, setPicked] = useState<ReadonlySet<string> | null>(null);
  const [limit, setLimit] = useState(GROUPS_AT_ONCE);
  const bulk = useBulk(at);
  const groups = found.data?.groups ?? [];
  const chosen = picked ?? exactCopies(groups);
  const pick = (id: string, wanted: boolean) => {
    const next = new Set(chosen);
    next[wanted ? "add" : "delete"](id);
    setPicked(next);
  };
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="lg"
      title={t("datasets.duplicates.title")}
      description={t("datasets.duplicates.description")}
    >
      {found.isPending ? (
        <FormSkeleton fields={3} />
      ) : found.isError ? (
        <ProblemState error={found.error} onRetry={() => void found.refetch()} />
      ) : groups.length === 0 ? (
        <p role="status" className="text-sm text-ink-muted">
          {t("datasets.duplicates.none", { number: formatNumber(found.data.compared) })}
        </p>
      ) : (
        <>
          <ul className="grid gap-3">
            {groups.slice(0, limit).map((group) => (
              <GroupItem
                key={group.cases[0]?.id}
                at={at}
                group={group}
                editable={editable}
                chosen={chosen}
                onChosenChanged={pick}
              />
            ))}
          </ul>
          {groups.length > limit ? (
            <Button variant="secondary" size="sm" onClick={() => setLimit(limit + GROUPS_AT_ONCE)}>
              {t("ui.loadMore")}
            </Button>
          ) : found.data.more_groups > 0 ? (
            <p className="text-xs text-ink-muted">
              {t("datasets.duplicates.moreGroups", { count: found.data.more_groups })}
            </p>
          ) : null}
          <FormAlert message={explain(bulk.error)} />
        </>
      )}
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("ui.close")}
        </Button>
        {editable && groups.length > 0 ? (
          <Button
            variant="danger"
            disabled={chosen.size === 0}
            loading={bulk.isPending}
            onClick={() =>
              bulk.run(
                {
                  chosen: { kind: "some", ids: chosen },
                  view: {},
                  total: chosen.size,
                  change: { action: "delete" },
                },
                onClosed,
              )
            }
          >
            {t("datasets.bulk.delete.submit", { count: chosen.size })}
          </Button>
        ) : null}
      </DialogFooter>
    </Dialog>
  );
}
