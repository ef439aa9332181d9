import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { JudgedQuestion } from "@/api/arena";
import { keys } from "@/api/keys";
import { modelsQuery } from "@/api/models";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { LoadError } from "@/components/load-error";
import { requestProblem } from "@/components/run-estimate/estimate-state";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { ModelSelect } from "@/components/model-chooser/model-select";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { remarksOf, variableOf } from "./fix-draft";

const CASE = "/projects/{project}/datasets/{dataset_id}/cases/{case_id}";

export interface FixDialogProps {
  slug: string;
  datasetId: string;
  caseId: string;
  question: JudgedQuestion;
  onClosed: () => void;
  onFixed: () => void;
}

/** Rewrites a question, by hand or with a model; the case changes only when it is saved. */
export function FixDialog(props: FixDialogProps) {
  const { slug, datasetId, caseId, question, onClosed, onFixed } = props;
  const { t } = useTranslation();
  const [text, setText] = useState(question.question);
  const [modelId, setModelId] = useState("");
  const [turn, setTurn] = useState(0);
  const models = useQuery(modelsQuery(slug));
  const place = { project: slug, dataset_id: datasetId, case_id: caseId };
  const propose = useChange("post", `${CASE}/rewrite`, place, { refresh: [] });
  const save = useChange("patch", CASE, place, { also: [keys.runs(slug)] });
  const variable = variableOf(question);
  const ask = () =>
    propose.mutate(
      { body: { model_id: modelId, variable, remarks: remarksOf(question), turn } },
      {
        onSuccess: (proposal) => {
          setText(proposal.text);
          setTurn((before) => before + 1);
        },
      },
    );
  const failed = [propose, save].find(({ isError }) => isError);
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("questions.fix.title")}
      description={t("questions.fix.description")}
    >
      <DialogForm
        submitLabel={t("questions.fix.save")}
        isSaving={save.isPending}
        disabled={text.trim() === "" || text === question.question || propose.isPending}
        message={failed === undefined ? null : requestProblem(failed.error)}
        onCancelled={onClosed}
        onSubmitted={() =>
          save.mutate(
            {
              body: {
                // The version of the proposal, so that no later change is overwritten.
                version: propose.data?.case_version ?? question.case_version ?? 1,
                inputs: { ...question.inputs, [variable]: text },
              },
            },
            {
              onSuccess: () => {
                toast.success(t("questions.fix.done"));
                onFixed();
              },
            },
          )
        }
      >
        <div className="grid gap-1">
          <span className="text-xs font-medium text-ink-muted">{t("questions.fix.before")}</span>
          <p dir="auto" className="text-sm wrap-anywhere whitespace-pre-wrap">
            {question.question}
          </p>
        </div>
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-56 flex-1">
            <Field label={t("questions.fix.model")}>
              {(control) => (
                <ModelSelect
                  {...control}
                  models={models.data ?? []}
                  chosen={modelId}
                  onChosen={setModelId}
                />
              )}
            </Field>
          </div>
          <Button
            variant="secondary"
            loading={propose.isPending}
            disabled={modelId === "" || variable === ""}
            onClick={ask}
          >
            {t(turn === 0 ? "questions.fix.propose" : "questions.fix.again")}
          </Button>
        </div>
        <LoadError queries={[models]} />
        {propose.data === undefined ? null : (
          <p role="status" className="text-sm text-ink-muted">
            {propose.data.changes}
          </p>
        )}
        <Field required label={t("questions.fix.text")}>
          {(control) => (
            <Textarea
              {...control}
              rows={5}
              dir="auto"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  );
}
