import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { ask } from "@/api/queries";
import { runOptions } from "@/api/runs";
import { comparerKindsQuery, savedScorersQuery, scorerKindsQuery } from "@/api/scorers";
import type { RescoreRequest, RunDetail } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { LoadError } from "@/components/load-error";
import { requestProblem } from "@/components/run-estimate/estimate-state";
import { EstimateView } from "@/components/run-estimate/estimate-view";
import type { FieldErrors } from "@/components/schema-form/validate";
import { scorerRequestOf, type ScorerDraft } from "@/components/scorer-fields/scorer-draft";
import { ScorerFields } from "@/components/scorer-fields/scorer-fields";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { useSettledRequest } from "@/lib/hooks";
import { ComparerFields } from "./comparer-fields";
import { comparerRequestOf, type ComparerDraft } from "./run-draft";

const RESCORE = "/projects/{project}/runs/{run_id}/rescore";

/** Rescore request; null while nothing is added. */
export function rescoreRequest(
  scorers: readonly ScorerDraft[],
  comparers: readonly ComparerDraft[],
): RescoreRequest | null {
  return scorers.length + comparers.length === 0
    ? null
    : { scorers: scorers.map(scorerRequestOf), comparers: comparers.map(comparerRequestOf) };
}

const estimateQuery = (slug: string, runId: string, body: RescoreRequest | null) =>
  ask(
    `${RESCORE}/estimate`,
    { project: slug, run_id: runId, body: body ?? {} },
    { enabled: body !== null, retry: false, gcTime: 60_000, keepPrevious: true },
  );

interface RescoreProps {
  slug: string;
  run: RunDetail;
}

function Estimate({ slug, run, request }: RescoreProps & { request: RescoreRequest | null }) {
  const { t } = useTranslation();
  const wanted = useSettledRequest(request);
  const estimate = useQuery(estimateQuery(slug, run.id, wanted));
  return (
    <section
      aria-label={t("runs.estimate.title")}
      aria-live="polite"
      className="grid gap-3 rounded-lg bg-surface p-4"
    >
      <h3 className="text-sm font-semibold">{t("runs.estimate.title")}</h3>
      <EstimateView
        estimate={estimate}
        missing={wanted === null ? t("runs.rescore.nothingYet") : null}
      />
    </section>
  );
}

/** Errors of the server by form field. */
function errorsOf(error: unknown): FieldErrors {
  return Object.fromEntries(asProblem(error).fields.map(({ field, message }) => [field, message]));
}

/** Adds scorers and comparers to a completed run; answers and earlier scores stay. */
export function RescoreDialog({ slug, run, onClosed }: RescoreProps & { onClosed: () => void }) {
  const { t } = useTranslation();
  const [scorers, setScorers] = useState<readonly ScorerDraft[]>([]);
  const [comparers, setComparers] = useState<readonly ComparerDraft[]>([]);
  const kinds = useQuery(scorerKindsQuery(slug));
  const saved = useQuery(savedScorersQuery(slug));
  const comparerKinds = useQuery(comparerKindsQuery(slug));
  const rescore = useChange("post", RESCORE, { project: slug, run_id: run.id }, runOptions(slug));
  const request = rescoreRequest(scorers, comparers);
  const errors = rescore.isError ? errorsOf(rescore.error) : {};
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("runs.rescore.title", { name: run.name })}
      description={t("runs.rescore.description")}
    >
      <DialogForm
        submitLabel={t("runs.rescore.submit")}
        isSaving={rescore.isPending}
        disabled={request === null}
        message={rescore.isError ? requestProblem(rescore.error) : null}
        onCancelled={onClosed}
        onSubmitted={() =>
          request === null
            ? undefined
            : rescore.mutate(
                { body: request },
                {
                  onSuccess: () => {
                    toast.success(t("runs.rescore.started"));
                    onClosed();
                  },
                },
              )
        }
      >
        <LoadError queries={[kinds, saved, comparerKinds]} />
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 text-sm font-medium">{t("runs.new.scorersTitle")}</legend>
          <ScorerFields
            slug={slug}
            kinds={kinds.data ?? []}
            saved={saved.data ?? []}
            chosen={scorers}
            onChosenChanged={setScorers}
            errors={errors}
          />
        </fieldset>
        {run.variant_count < 2 ? null : (
          <fieldset className="grid gap-2">
            <legend className="mb-1.5 text-sm font-medium">{t("runs.new.comparersTitle")}</legend>
            <ComparerFields
              slug={slug}
              kinds={comparerKinds.data ?? []}
              chosen={comparers}
              onChosenChanged={setComparers}
              errors={errors}
            />
          </fieldset>
        )}
        <Estimate slug={slug} run={run} request={request} />
      </DialogForm>
    </Dialog>
  );
}
