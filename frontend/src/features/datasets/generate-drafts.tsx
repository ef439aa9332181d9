import { useTranslation } from "react-i18next";
import type { GeneratedDraft } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/checkbox";
import { formatPercent, truncate } from "@/lib/format";
import { showValue } from "./values";

const SHOWN = 400;

export interface GenerateDraftsProps {
  drafts: readonly GeneratedDraft[];
  chosen: ReadonlySet<string>;
  onChosenChanged: (chosen: ReadonlySet<string>) => void;
}

/** Drafts selected by default: all that are not near-duplicates. */
export function freshDrafts(drafts: readonly GeneratedDraft[]): string[] {
  return drafts
    .filter((draft) => draft.near === null && draft.case_id === null)
    .map(({ id }) => id);
}

function DraftLabel({ draft }: { draft: GeneratedDraft }) {
  const { t } = useTranslation();
  return (
    <span className="grid gap-1">
      {Object.entries(draft.inputs).map(([name, value]) => (
        <span key={name} className="wrap-anywhere whitespace-pre-wrap">
          <span className="font-mono text-xs text-ink-muted">{name}</span>{" "}
          <bdi>{truncate(showValue(value), SHOWN) || t("datasets.cell.empty")}</bdi>
        </span>
      ))}
      {draft.expected === null ? null : (
        <span className="wrap-anywhere whitespace-pre-wrap text-ink-muted">
          → <bdi>{truncate(draft.expected, SHOWN)}</bdi>
        </span>
      )}
      <span className="flex flex-wrap gap-1">
        {draft.case_id === null ? null : (
          <Badge tone="success">{t("datasets.generate.drafts.added")}</Badge>
        )}
        {draft.near === null ? null : (
          <Badge tone="warning">
            {t(
              `datasets.generate.drafts.${draft.near.case_id === null ? "nearDraft" : "nearCase"}`,
              {
                share: formatPercent(draft.near.similarity),
              },
            )}
          </Badge>
        )}
        {draft.difficulty === null ? null : (
          <Badge tone="outline">{t("datasets.difficultyIs", { value: draft.difficulty })}</Badge>
        )}
        {draft.tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </span>
    </span>
  );
}

/** Generated drafts, to select from before any becomes a case. */
export function GenerateDrafts({ drafts, chosen, onChosenChanged }: GenerateDraftsProps) {
  const { t } = useTranslation();
  const open = drafts.filter((draft) => draft.case_id === null);
  const choose = (ids: readonly string[], wanted: boolean) => {
    const next = new Set(chosen);
    ids.forEach((id) => (wanted ? next.add(id) : next.delete(id)));
    onChosenChanged(next);
  };
  const count = open.filter(({ id }) => chosen.has(id)).length;
  return (
    <div className="overflow-hidden rounded-lg border border-border">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-border bg-surface px-4 py-2.5">
        <Checkbox
          label={t("datasets.generate.drafts.all")}
          disabled={open.length === 0}
          checked={count === 0 ? false : count === open.length ? true : "indeterminate"}
          onCheckedChanged={() =>
            choose(
              open.map(({ id }) => id),
              count < open.length,
            )
          }
        />
        <span role="status" className="text-xs text-ink-muted">
          {t("datasets.generate.drafts.chosen", { count, total: open.length })}
        </span>
      </div>
      <ul className="grid max-h-[26rem] divide-y divide-border overflow-y-auto">
        {drafts.map((draft) => (
          <li key={draft.id} className="px-4 py-2.5">
            <Checkbox
              label={<DraftLabel draft={draft} />}
              disabled={draft.case_id !== null}
              checked={draft.case_id !== null || chosen.has(draft.id)}
              onCheckedChanged={(wanted) => choose([draft.id], wanted)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
