import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { ExperimentSummary } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { LoadError } from "@/components/load-error";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { EXPERIMENT, experimentChoicesQuery } from "./queries";

export interface ExperimentDialogProps {
  slug: string;
  experiment: ExperimentSummary;
  onClosed: () => void;
}

export function FinishExperimentDialog({ slug, experiment, onClosed }: ExperimentDialogProps) {
  const { t } = useTranslation();
  const finish = useChange("post", `${EXPERIMENT}/finish`, {
    project: slug,
    experiment_id: experiment.id,
  });
  return (
    <ConfirmDialog
      open
      tone="primary"
      onOpenChanged={onClosed}
      title={t("experiments.finish.title", { name: experiment.name })}
      description={t("experiments.finish.body")}
      confirmLabel={t("experiments.finish.action")}
      loading={finish.isPending}
      error={finish.isError ? problemMessage(finish.error) : null}
      onConfirmed={() => finish.mutate(undefined, { onSuccess: onClosed })}
    />
  );
}

/** Picker of the experiment to compare with. */
export function CompareWithDialog(
  props: ExperimentDialogProps & { onChosen: (otherId: string) => void },
) {
  const { slug, experiment, onClosed, onChosen } = props;
  const { t } = useTranslation();
  const choices = useQuery(experimentChoicesQuery(slug));
  const [chosen, setChosen] = useState("");
  const others = (choices.data ?? []).filter(
    ({ id, iteration_count }) => id !== experiment.id && iteration_count > 0,
  );
  const isAlone = choices.isSuccess && others.length === 0;
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="sm"
      title={t("experiments.compare.choose", { name: experiment.name })}
      description={t(isAlone ? "experiments.compare.noOther" : "experiments.compare.chooseHint")}
    >
      <DialogForm
        submitLabel={t("experiments.actions.compareNow")}
        isSaving={false}
        disabled={chosen === ""}
        onCancelled={onClosed}
        onSubmitted={() => onChosen(chosen)}
      >
        <LoadError queries={[choices]} />
        {isAlone ? null : (
          <Field required label={t("experiments.compare.other")}>
            {(control) => (
              <Select
                {...control}
                value={chosen}
                placeholder={t("experiments.compare.placeholder")}
                options={others.map(({ id, name, iteration_count }) => ({
                  value: id,
                  label: name,
                  description: t("experiments.iterations", { count: iteration_count }),
                }))}
                onValueChanged={setChosen}
              />
            )}
          </Field>
        )}
      </DialogForm>
    </Dialog>
  );
}
