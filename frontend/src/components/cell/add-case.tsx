import { useQuery } from "@tanstack/react-query";
import { ListPlus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { datasetChoicesQuery } from "@/api/case-choices";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import type { OutputDetail } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { LoadError } from "@/components/load-error";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";

export interface AddCaseProps {
  slug: string;
  output: OutputDetail;
}

function AddCaseForm({ slug, output, onClosed }: AddCaseProps & { onClosed: () => void }) {
  const { t } = useTranslation();
  const choices = useQuery(datasetChoicesQuery(slug));
  const datasets = choices.data ?? [];
  const [chosen, setChosen] = useState("");
  const [isExpected, setExpected] = useState(output.status === "ok");
  const add = useChange(
    "post",
    "/projects/{project}/runs/{run_id}/rows/{position}/case",
    { project: slug, run_id: output.run_id, position: output.case_position },
    { refresh: [keys.datasets(slug)] },
  );
  const datasetId = chosen || (datasets[0]?.id ?? "");
  const submit = () =>
    add.mutate(
      { body: { dataset_id: datasetId, output_id: isExpected ? output.id : null } },
      {
        onSuccess: () => {
          onClosed();
          toast.success(t("cell.promote.caseAdded"));
        },
      },
    );
  return (
    <DialogForm
      submitLabel={t("cell.promote.add")}
      isSaving={add.isPending}
      disabled={datasetId === ""}
      message={add.error === null ? null : problemMessage(add.error)}
      onSubmitted={submit}
      onCancelled={onClosed}
    >
      <LoadError queries={[choices]} />
      <Field label={t("cell.promote.dataset")} required>
        {(control) => (
          <Select
            {...control}
            value={datasetId}
            options={datasets.map(({ id, name }) => ({ value: id, label: name }))}
            onValueChanged={setChosen}
          />
        )}
      </Field>
      <Checkbox
        label={t("cell.promote.withAnswer")}
        checked={isExpected}
        disabled={output.status === "error"}
        onCheckedChanged={setExpected}
      />
    </DialogForm>
  );
}

/** Saves the cell's inputs as a case of a dataset. */
export function AddCase({ slug, output }: AddCaseProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
        <ListPlus aria-hidden />
        {t("cell.promote.case")}
      </Button>
      {isOpen ? (
        <Dialog
          open
          onOpenChanged={setOpen}
          title={t("cell.promote.case")}
          description={t("cell.promote.caseHint")}
        >
          <AddCaseForm slug={slug} output={output} onClosed={() => setOpen(false)} />
        </Dialog>
      ) : null}
    </>
  );
}
