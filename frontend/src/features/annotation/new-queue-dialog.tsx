import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { QUESTIONS } from "@/components/human-score/scales";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import {
  emptyDraft,
  isCount,
  MOST_ITEMS,
  MOST_PEOPLE,
  requestOf,
  STRATEGIES,
  type QueueDraft,
} from "./queue-draft";
import { AssigneeChoices, RunChoices, useCriteria, type PartProps } from "./queue-form-parts";

interface CountFieldProps {
  label: string;
  hint: string;
  value: string;
  most: number;
  onValueChanged: (value: string) => void;
}

function CountField({ label, hint, value, most, onValueChanged }: CountFieldProps) {
  const { t } = useTranslation();
  return (
    <Field
      required
      label={label}
      hint={hint}
      error={isCount(value, most) ? undefined : t("annotation.new.count", { most })}
    >
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          value={value}
          onChange={(event) => onValueChanged(event.target.value)}
        />
      )}
    </Field>
  );
}

function SampleFields({ draft, onDraftChanged }: PartProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field required label={t("annotation.new.strategy")}>
          {(control) => (
            <Select
              {...control}
              value={draft.strategy}
              options={STRATEGIES.map((value) => ({
                value,
                label: t(`annotation.strategies.${value}`),
                description: t(`annotation.new.strategies.${value}`),
              }))}
              onValueChanged={(strategy) => onDraftChanged({ strategy })}
            />
          )}
        </Field>
        <CountField
          label={t("annotation.new.size")}
          hint={t("annotation.new.sizeHint")}
          value={draft.sampleSize}
          most={MOST_ITEMS}
          onValueChanged={(sampleSize) => onDraftChanged({ sampleSize })}
        />
      </div>
      <Switch
        label={t("annotation.new.unscored")}
        description={t("annotation.new.unscoredHint")}
        checked={draft.isUnscoredOnly}
        onCheckedChanged={(isUnscoredOnly) => onDraftChanged({ isUnscoredOnly })}
      />
    </>
  );
}

function QuestionFields({ slug, draft, onDraftChanged }: PartProps) {
  const { t } = useTranslation();
  const criteria = useCriteria(slug, draft.runIds);
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field required label={t("annotation.new.question")}>
          {(control) => (
            <Select
              {...control}
              value={draft.question}
              options={QUESTIONS.map((value) => ({
                value,
                label: t(`humanScore.questions.${value}`),
              }))}
              onValueChanged={(question) => onDraftChanged({ question })}
            />
          )}
        </Field>
        <CountField
          label={t("annotation.new.overlap")}
          hint={t("annotation.new.overlapHint")}
          value={draft.overlap}
          most={MOST_PEOPLE}
          onValueChanged={(overlap) => onDraftChanged({ overlap })}
        />
      </div>
      {criteria.length === 0 ? null : (
        <Switch
          label={t("annotation.new.byCriterion")}
          description={criteria.map(({ name }) => name).join(", ")}
          checked={draft.isByCriterion}
          onCheckedChanged={(isByCriterion) => onDraftChanged({ isByCriterion })}
        />
      )}
    </>
  );
}

export interface NewQueueDialogProps {
  project: Project;
  runId: string | undefined;
  onClosed: () => void;
  onCreated: (queueId: string) => void;
}

/** Creates an annotation queue: outputs, question and annotators. */
export function NewQueueDialog({ project, runId, onClosed, onCreated }: NewQueueDialogProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() => emptyDraft(runId));
  const create = useChange("post", "/projects/{project}/annotation-queues", {
    project: project.slug,
  });
  const criteria = useCriteria(project.slug, draft.runIds);
  const part: PartProps = {
    slug: project.slug,
    draft,
    onDraftChanged: (change: Partial<QueueDraft>) => setDraft({ ...draft, ...change }),
  };
  const isReady =
    draft.name.trim() !== "" &&
    draft.runIds.length > 0 &&
    isCount(draft.sampleSize, MOST_ITEMS) &&
    isCount(draft.overlap, MOST_PEOPLE);
  return (
    <Dialog
      open
      width="lg"
      closeOnOutside={false}
      onOpenChanged={onClosed}
      title={t("annotation.new.title")}
      description={t("annotation.new.description")}
    >
      <DialogForm
        submitLabel={t("annotation.new.submit")}
        isSaving={create.isPending}
        disabled={!isReady}
        message={create.isError ? problemMessage(create.error) : null}
        onCancelled={onClosed}
        onSubmitted={() =>
          create.mutate(
            { body: requestOf(draft, criteria) },
            {
              onSuccess: (queue) => {
                toast.success(t("annotation.new.done", { count: queue.progress.items }));
                onCreated(queue.id);
              },
            },
          )
        }
      >
        <Field required label={t("fields.name")}>
          {(control) => (
            <Input
              {...control}
              maxLength={200}
              value={draft.name}
              onChange={(event) => part.onDraftChanged({ name: event.target.value })}
            />
          )}
        </Field>
        <RunChoices {...part} />
        <SampleFields {...part} />
        <QuestionFields {...part} />
        <Field label={t("annotation.new.instructions")} hint={t("annotation.new.instructionsHint")}>
          {(control) => (
            <Textarea
              {...control}
              maxLength={5000}
              value={draft.instructions}
              onChange={(event) => part.onDraftChanged({ instructions: event.target.value })}
            />
          )}
        </Field>
        <AssigneeChoices {...part} />
      </DialogForm>
    </Dialog>
  );
}
