import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { AbTestSummary } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { AB_TEST } from "./queries";

export interface StopDialogProps {
  slug: string;
  test: AbTestSummary;
  onClosed: () => void;
}

/** Ends a running test with the evidence so far. */
export function StopDialog({ slug, test, onClosed }: StopDialogProps) {
  const { t } = useTranslation();
  const [note, setNote] = useState("");
  const stop = useChange("post", `${AB_TEST}/stop`, { project: slug, ab_test_id: test.id });
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="sm"
      title={t("abTests.stop.title", { name: test.name })}
      description={t("abTests.stop.body")}
    >
      <DialogForm
        submitLabel={t("abTests.stop.action")}
        isSaving={stop.isPending}
        message={stop.isError ? problemMessage(stop.error) : null}
        onCancelled={onClosed}
        onSubmitted={() => stop.mutate({ body: { note } }, { onSuccess: onClosed })}
      >
        <Field label={t("abTests.stop.note")}>
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxLength={2000}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  );
}
