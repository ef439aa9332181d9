import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { datasetNameQuery } from "@/api/case-choices";
import { runOptions } from "@/api/runs";
import type { Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { requestProblem } from "@/components/run-estimate/estimate-state";
import { Dialog } from "@/components/ui/dialog";
import { DatasetField } from "../dataset-field";
import { EstimateCard } from "../estimate-card";
import { useQuestionVariable } from "../use-question-variable";
import { missingPart, startRequest, type StartDraft } from "./start-draft";
import { AskingFields, ModelSection, RepeatField, ScorerSection } from "./start-fields";

export interface StartDialogProps {
  project: Project;
  first: StartDraft;
  onClosed: () => void;
  onStarted: (runId: string) => void;
}

/** Starts a run in which the ticked models answer every question of a set. */
export function StartDialog({ project, first, onClosed, onStarted }: StartDialogProps) {
  const { slug } = project;
  const { t } = useTranslation();
  const [draft, setDraft] = useState(first);
  const dataset = useQuery({
    ...datasetNameQuery(slug, draft.datasetId),
    enabled: draft.datasetId !== "",
  });
  const { names, variable, query } = useQuestionVariable(slug, draft);
  const create = useChange("post", "/projects/{project}/runs", { project: slug }, runOptions(slug));
  const change = (part: Partial<StartDraft>) => setDraft((before) => ({ ...before, ...part }));
  const name = t("arena.start.runName", { name: dataset.data?.name ?? "" }).trim();
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
        <DatasetField
          slug={slug}
          label={t("arena.start.set")}
          chosen={draft.datasetId}
          onChosenChanged={(datasetId) => change({ datasetId, variable: "" })}
        />
        <ModelSection {...parts} />
        <AskingFields {...parts} variables={names} variable={variable} loading={query} />
        <ScorerSection {...parts} />
        <RepeatField {...parts} />
        <EstimateCard
          slug={slug}
          request={request}
          missing={missing === null ? null : t(`arena.start.missing.${missing}`)}
        />
      </DialogForm>
    </Dialog>
  );
}
