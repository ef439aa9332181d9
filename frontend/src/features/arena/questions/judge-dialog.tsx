import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { datasetNameQuery } from "@/api/case-choices";
import { runOptions } from "@/api/runs";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { LoadError } from "@/components/load-error";
import { requestProblem } from "@/components/run-estimate/estimate-state";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { DatasetField } from "../dataset-field";
import { EstimateCard } from "../estimate-card";
import { useQuestionVariable } from "../use-question-variable";
import { emptyJudging, judgeRequest, missingForJudging, type JudgeDraft } from "./judge-draft";
import { CriteriaSection, GoalField, JudgeSection } from "./judge-fields";
import { criteriaQuery } from "./queries";

export interface JudgeDialogProps {
  slug: string;
  /** The dataset, chosen beforehand. */
  datasetId: string | undefined;
  onClosed: () => void;
  onStarted: (runId: string) => void;
}

/** Starts a run in which several models judge the questions of a dataset. */
export function JudgeDialog({ slug, datasetId, onClosed, onStarted }: JudgeDialogProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() => emptyJudging(datasetId ?? ""));
  const usual = useQuery(criteriaQuery(slug));
  const dataset = useQuery({
    ...datasetNameQuery(slug, draft.datasetId),
    enabled: draft.datasetId !== "",
  });
  const { names, variable, query } = useQuestionVariable(slug, draft);
  const create = useChange("post", "/projects/{project}/runs", { project: slug }, runOptions(slug));
  const change = (part: Partial<JudgeDraft>) => setDraft((before) => ({ ...before, ...part }));
  const criteria = usual.data ?? [];
  const name = t("questions.new.runName", { name: dataset.data?.name ?? "" }).trim();
  const request = judgeRequest(draft, name, variable, criteria);
  const missing = missingForJudging(draft, variable, criteria);
  const parts = { slug, draft, change };
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("questions.new.title")}
      description={t("questions.new.description")}
    >
      <DialogForm
        submitLabel={t("questions.new.submit")}
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
          onChosenChanged={(chosen) => change({ datasetId: chosen, variable: "" })}
        />
        <LoadError queries={[query, usual]} />
        {names.length < 2 ? null : (
          <Field required label={t("arena.start.variable")}>
            {(control) => (
              <Select
                {...control}
                value={variable}
                options={names.map((each) => ({ value: each, label: each }))}
                onValueChanged={(next) => change({ variable: next })}
              />
            )}
          </Field>
        )}
        <JudgeSection {...parts} />
        <CriteriaSection {...parts} usual={criteria} />
        <GoalField {...parts} />
        <EstimateCard
          slug={slug}
          request={request}
          missing={missing === null ? null : t(`questions.new.missing.${missing}`)}
        />
      </DialogForm>
    </Dialog>
  );
}
