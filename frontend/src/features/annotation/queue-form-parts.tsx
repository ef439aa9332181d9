import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { useDebounced } from "@/lib/hooks";
import { runQuery } from "@/api/runs";
import { LoadError } from "@/components/load-error";
import { annotatorsQuery, runChoicesQuery, sampleQuery } from "./queries";
import { criteriaOf, isCount, MOST_ITEMS, type QueueDraft } from "./queue-draft";

export interface PartProps {
  slug: string;
  draft: QueueDraft;
  onDraftChanged: (change: Partial<QueueDraft>) => void;
}

const toggled = (ids: readonly string[], id: string, isIn: boolean) =>
  isIn ? [...ids, id] : ids.filter((each) => each !== id);

const BOX = "grid max-h-44 gap-2.5 overflow-y-auto rounded-md border border-border p-3";

/** Run picker. Chosen runs stay visible whatever the search is. */
export function RunChoices({ slug, draft, onDraftChanged }: PartProps) {
  const { t } = useTranslation();
  const [q, setQ] = useState("");
  const found = useQuery(runChoicesQuery(slug, useDebounced(q.trim(), 200)));
  const chosen = useChosenRuns(slug, draft.runIds).filter((run) => run !== undefined);
  const others = (found.data ?? []).filter((run) => !draft.runIds.includes(run.id));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{t("annotation.new.runs")}</legend>
      <Input
        aria-label={t("runs.filters.search")}
        placeholder={t("runs.filters.search")}
        value={q}
        onChange={(event) => setQ(event.target.value)}
      />
      <div className={BOX}>
        {[...chosen, ...others].map((run) => (
          <Checkbox
            key={run.id}
            label={run.name}
            description={t("annotation.new.runSize", {
              answers: run.done_count - run.error_count,
              variants: t("runs.size.variants", { count: run.variant_count }),
            })}
            checked={draft.runIds.includes(run.id)}
            onCheckedChanged={(isIn) =>
              onDraftChanged({ runIds: toggled(draft.runIds, run.id, isIn) })
            }
          />
        ))}
        {found.isPending ? <Skeleton className="h-8" /> : null}
        <LoadError queries={[found]} />
        {found.data !== undefined && others.length + chosen.length === 0 ? (
          <p className="text-sm text-ink-muted">{t("annotation.new.noRuns")}</p>
        ) : null}
      </div>
      <Available slug={slug} draft={draft} />
    </fieldset>
  );
}

function useChosenRuns(slug: string, runIds: readonly string[]) {
  return useQueries({
    queries: runIds.map((runId) => runQuery(slug, runId)),
    combine: (results) => results.map(({ data }) => data),
  });
}

export function useCriteria(slug: string, runIds: readonly string[]) {
  return criteriaOf(useChosenRuns(slug, runIds));
}

/** Number of outputs available to score. */
function Available({ slug, draft }: Pick<PartProps, "slug" | "draft">) {
  const { t } = useTranslation();
  const size = isCount(draft.sampleSize, MOST_ITEMS) ? Number(draft.sampleSize) : 1;
  const sample = useQuery(
    sampleQuery(slug, {
      run_ids: [...draft.runIds],
      strategy: draft.strategy,
      sample_size: useDebounced(size, 200),
      is_unscored_only: draft.isUnscoredOnly,
    }),
  ).data;
  return (
    <p role="status" className="min-h-4 text-xs text-ink-muted">
      {sample === undefined || draft.runIds.length === 0
        ? null
        : t("annotation.new.available", { ...sample })}
    </p>
  );
}

/** Annotators: all members, or chosen ones. */
export function AssigneeChoices({ slug, draft, onDraftChanged }: PartProps) {
  const { t } = useTranslation();
  const members = useQuery(annotatorsQuery(slug));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{t("annotation.new.people")}</legend>
      <p className="text-xs text-ink-muted">{t("annotation.new.peopleHint")}</p>
      <div className={BOX}>
        {members.isPending ? <Skeleton className="h-8" /> : null}
        <LoadError queries={[members]} />
        {(members.data ?? []).map(({ user_id, name, email }) => (
          <Checkbox
            key={user_id}
            label={name ?? email}
            checked={draft.assigneeIds.includes(user_id)}
            onCheckedChanged={(isIn) =>
              onDraftChanged({ assigneeIds: toggled(draft.assigneeIds, user_id, isIn) })
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
