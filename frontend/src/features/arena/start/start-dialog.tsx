import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { datasetChoicesQuery, variablesQuery } from "@/api/case-choices";
import { runOptions } from "@/api/runs";
import type { Project, RunRequest } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { estimateQuery } from "@/components/run-estimate/estimate-query";
import { requestProblem } from "@/components/run-estimate/estimate-state";
import { EstimateView } from "@/components/run-estimate/estimate-view";
import { Dialog } from "@/components/ui/dialog";
import { useSettledRequest } from "@/lib/hooks";
import { missingPart, questionVariable, startRequest, type StartDraft } from "./start-draft";
import {
  AskingFields,
  DatasetField,
  ModelSection,
  RepeatField,
  ScorerSection,
} from "./start-fields";

export interface StartDialogProps {
  project: Project;
  first: StartDraft;
  onClosed: () => void;
  onStarted: (runId: string) => void;
}

function useVariables(slug: string, draft: StartDraft) {
  const found = useQuery({
    ...variablesQuery(slug, draft.datasetId),
    enabled: draft.datasetId !== "",
  });
  const names = found.data?.map(({ name }) => name) ?? [];
  const variable = names.includes(draft.variable) ? draft.variable : questionVariable(names);
  return { names, variable, query: found };
}

function Estimate({
  slug,
  request,
  missing,
}: {
  slug: string;
  request: RunRequest | null;
  missing: string | null;
}) {
  const { t } = useTranslation();
  const wanted = useSettledRequest(request);
  const estimate = useQuery(estimateQuery(slug, wanted));
  return (
    <section
      aria-label={t("runs.estimate.title")}
      aria-live="polite"
      className="grid gap-3 rounded-lg bg-surface p-4"
    >
      <h3 className="text-sm font-semibold">{t("runs.estimate.title")}</h3>
      <EstimateView estimate={estimate} missing={missing} />
    </section>
  );
}

/** Starts a run in which the ticked models answer every question of a set. */
export function StartDialog({ project, first, onClosed, onStarted }: StartDialogProps) {
  const { slug } = project;
  const { t } = useTranslation();
  const [draft, setDraft] = useState(first);
  const datasets = useQuery(datasetChoicesQuery(slug));
  const { names, variable, query } = useVariables(slug, draft);
  const create = useChange("post", "/projects/{project}/runs", { project: slug }, runOptions(slug));
  const change = (part: Partial<StartDraft>) => setDraft((before) => ({ ...before, ...part }));
  const dataset = datasets.data?.find(({ id }) => id === draft.datasetId);
  const name = t("arena.start.runName", { name: dataset?.name ?? "" }).trim();
  const request = startRequest(draft, name, variable);
  const missing = missingPart(draft, variable);
  const parts = { slug, draft, change };
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("arena.start.title")}
      description={t("arena.start.description")}
    >
      <DialogForm
        submitLabel={
          draft.modelIds.length === 0
            ? t("arena.start.submitNone")
            : t("arena.start.submit", { count: draft.modelIds.length })
        }
        isSaving={create.isPending}
        disabled={request === null}
        message={create.isError ? requestProblem(create.error) : null}
        onCancelled={onClosed}
        onSubmitted={() =>
          request === null
            ? undefined
            : create.mutate({ body: request }, { onSuccess: ({ id }) => onStarted(id) })
        }
      >
        <DatasetField {...parts} datasets={datasets} />
        <ModelSection {...parts} />
        <AskingFields {...parts} variables={names} variable={variable} loading={query} />
        <ScorerSection {...parts} />
        <RepeatField {...parts} />
        <Estimate
          slug={slug}
          request={request}
          missing={missing === null ? null : t(`arena.start.missing.${missing}`)}
        />
      </DialogForm>
    </Dialog>
  );
}
