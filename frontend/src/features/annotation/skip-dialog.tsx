import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DialogForm } from "@/components/dialog-form";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RadioGroup } from "@/components/ui/radio-group";

const REASONS = ["unclear", "cannotJudge", "broken", "other"] as const;
type Reason = (typeof REASONS)[number];

export interface SkipDialogProps {
  isSending: boolean;
  message: string | null;
  onSkipped: (reason: string) => void;
  onClosed: () => void;
}

/** Asks for the reason of skipping an output. */
export function SkipDialog({ isSending, message, onSkipped, onClosed }: SkipDialogProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState<Reason>("unclear");
  const [words, setWords] = useState("");
  const isOther = reason === "other";
  return (
    <Dialog
      open
      width="sm"
      onOpenChanged={onClosed}
      title={t("annotation.skip.title")}
      description={t("annotation.skip.description")}
    >
      <DialogForm
        submitLabel={t("annotation.work.skip")}
        isSaving={isSending}
        disabled={isOther && words.trim() === ""}
        message={message}
        onCancelled={onClosed}
        onSubmitted={() =>
          onSkipped(isOther ? words.trim() : t(`annotation.skip.reasons.${reason}`))
        }
      >
        <RadioGroup
          legend={t("annotation.skip.reason")}
          value={reason}
          options={REASONS.map((value) => ({
            value,
            label: t(`annotation.skip.reasons.${value}`),
          }))}
          onValueChanged={setReason}
        />
        {isOther ? (
          <Field required label={t("annotation.skip.words")}>
            {(control) => (
              <Input
                {...control}
                autoFocus
                maxLength={200}
                value={words}
                onChange={(event) => setWords(event.target.value)}
              />
            )}
          </Field>
        ) : null}
      </DialogForm>
    </Dialog>
  );
}
