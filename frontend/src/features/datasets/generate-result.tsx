import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import type { Generation } from "@/api/types";
import { FormAlert } from "@/components/form-alert";
import { ProblemState } from "@/components/problem-state";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogFooter } from "@/components/ui/dialog";
import { Progress } from "@/components/ui/progress";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { failureLabel } from "@/lib/failures";
import { formatCost } from "@/lib/format";
import { datasetPath, type DatasetAddress } from "@/api/case-imports";
import { keys } from "@/api/keys";
import { useChange } from "@/api/use-change";
import { freshDrafts, GenerateDrafts } from "./generate-drafts";
import {
  draftsQuery,
  generationQuery,
  isInProgress,
  GENERATIONS,
  generationLists,
} from "./generate-queries";
import { explain } from "./use-save-case";

export interface GenerateResultProps {
  at: DatasetAddress;
  generationId: string;
  onAgainWanted: () => void;
  onClosed: () => void;
}

function Outcome({ slug, generation }: { slug: string; generation: Generation }) {
  const models = useQuery(modelsQuery(slug));
  const model = models.data?.find(({ id }) => id === generation.model_id);
  return (
    <div className="grid gap-2">
      {model?.is_simulated === true ? (
        <div>
          <SimulatedBadge />
        </div>
      ) : null}
      <OutcomeText generation={generation} />
    </div>
  );
}

function OutcomeText({ generation }: { generation: Generation }) {
  const { t } = useTranslation();
  const { state, draft_count: drafts, wanted_count: wanted, note, failure } = generation;
  if (isInProgress(state)) {
    return (
      <div className="grid gap-2">
        <p role="status" className="text-sm text-ink-muted">
          {t(`datasets.generate.states.${state}`, {
            model: generation.model_name,
            drafts,
            wanted,
          })}
        </p>
        <Progress
          label={t("datasets.generate.title")}
          value={state === "queued" ? null : Math.round((drafts / Math.max(1, wanted)) * 100)}
        />
      </div>
    );
  }
  const facts = [
    generation.cost_usd === null
      ? null
      : t("datasets.generate.spent", { cost: formatCost(generation.cost_usd) }),
    generation.malformed_count > 0
      ? t("datasets.generate.malformed", { count: generation.malformed_count })
      : null,
    generation.refused_count > 0
      ? t("datasets.generate.refused", { count: generation.refused_count })
      : null,
    generation.repeated_count > 0
      ? t("datasets.generate.repeated", { count: generation.repeated_count })
      : null,
  ].filter(Boolean);
  return (
    <Alert
      tone={state === "failed" ? "danger" : note === null ? "success" : "warning"}
      title={t(`datasets.generate.states.${state}`, {
        model: generation.model_name,
        drafts,
        wanted,
      })}
    >
      {[failure === null ? null : failureLabel(failure), note, ...facts].filter(Boolean).join(" ")}
    </Alert>
  );
}

function Decision({ at, generation, ...props }: GenerateResultProps & { generation: Generation }) {
  const { onAgainWanted, onClosed } = props;
  const { t } = useTranslation();
  const drafts = useQuery(draftsQuery(at, generation.id));
  const path = { ...datasetPath(at), generation_id: generation.id };
  const accept = useChange("post", `${GENERATIONS}/{generation_id}/accept`, path);
  const discard = useChange("delete", `${GENERATIONS}/{generation_id}`, path, {
    refresh: [generationLists(at)],
  });
  const resume = useChange("post", `${GENERATIONS}/{generation_id}/resume`, path, {
    refresh: [keys.generations(at.slug)],
  });
  const [picked, setPicked] = useState<ReadonlySet<string> | null>(null);
  const found = drafts.data ?? [];
  const chosen = picked ?? new Set(freshDrafts(found));
  const open = found.filter((draft) => draft.case_id === null);
  const ids = open.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const submit = () =>
    accept.mutate(
      { body: { draft_ids: ids, with_near_duplicates: true } },
      {
        onSuccess: ({ added, copies }) => {
          toast.success(t("datasets.generate.accepted", { count: added }), {
            ...(copies > 0
              ? { description: t("datasets.generate.copies", { count: copies }) }
              : {}),
          });
          onClosed();
        },
      },
    );
  return (
    <>
      {drafts.isPending ? (
        <FormSkeleton fields={3} />
      ) : drafts.isError ? (
        <ProblemState error={drafts.error} onRetry={() => void drafts.refetch()} />
      ) : found.length === 0 ? null : (
        <GenerateDrafts drafts={found} chosen={chosen} onChosenChanged={setPicked} />
      )}
      <FormAlert message={explain(accept.error ?? discard.error ?? resume.error)} />
      <DialogFooter>
        <Button
          variant="ghost"
          loading={discard.isPending}
          onClick={() => discard.mutate(undefined, { onSuccess: onAgainWanted })}
        >
          {found.length === 0 ? t("ui.discard") : t("datasets.generate.discard")}
        </Button>
        {generation.is_resumable ? (
          <Button
            variant={found.length === 0 ? "primary" : "secondary"}
            loading={resume.isPending}
            onClick={() => resume.mutate(undefined)}
          >
            {t("datasets.generate.resume")}
          </Button>
        ) : null}
        {found.length === 0 ? null : (
          <Button disabled={ids.length === 0} loading={accept.isPending} onClick={submit}>
            {t("datasets.generate.accept", { count: ids.length })}
          </Button>
        )}
      </DialogFooter>
    </>
  );
}

/** Progress of a generation and, when finished, the selection of its drafts. */
export function GenerateResult(props: GenerateResultProps) {
  const { at, generationId } = props;
  const { t } = useTranslation();
  const generation = useQuery(generationQuery(at, generationId));
  const cancel = useChange(
    "post",
    `${GENERATIONS}/{generation_id}/cancel`,
    { ...datasetPath(at), generation_id: generationId },
    { refresh: [keys.generations(at.slug)] },
  );
  if (generation.isPending) {
    return <FormSkeleton fields={2} />;
  }
  if (generation.isError) {
    return <ProblemState error={generation.error} onRetry={() => void generation.refetch()} />;
  }
  if (isInProgress(generation.data.state)) {
    return (
      <>
        <Outcome slug={at.slug} generation={generation.data} />
        <p className="text-sm text-ink-muted">{t("datasets.generate.leave")}</p>
        <FormAlert message={explain(cancel.error)} />
        <DialogFooter>
          <Button
            variant="secondary"
            loading={cancel.isPending}
            onClick={() => cancel.mutate(undefined)}
          >
            {t("datasets.generate.stop")}
          </Button>
        </DialogFooter>
      </>
    );
  }
  return (
    <>
      <Outcome slug={at.slug} generation={generation.data} />
      <Decision {...props} generation={generation.data} />
    </>
  );
}
