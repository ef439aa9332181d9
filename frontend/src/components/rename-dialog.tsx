import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { DialogForm } from "./dialog-form";
import { Dialog } from "./ui/dialog";
import { Field } from "./ui/field";
import { Input } from "./ui/input";

export interface RenameDialogProps {
  title: string;
  label: string;
  hint?: string | undefined;
  name: string;
  submitLabel: string;
  isSaving: boolean;
  /** Error of the last attempt. */
  error: unknown;
  /** Called when the text changes, so that the error can be cleared. */
  onEdited: () => void;
  onRenamed: (name: string) => void;
  onClosed: () => void;
}

function refusalOf(error: unknown): string | undefined {
  if (error === null) {
    return undefined;
  }
  const { fields } = asProblem(error);
  return fields.length === 0
    ? problemMessage(error)
    : fields.map(({ message }) => message).join(" ");
}

/** Rename dialog. An unchanged name closes it without a request. */
export function RenameDialog(props: RenameDialogProps) {
  const { name, onClosed, onEdited, onRenamed } = props;
  const { t } = useTranslation();
  const [text, setText] = useState(name);
  const wanted = text.trim();
  const submit = () => {
    if (wanted === name) {
      onClosed();
    } else if (wanted !== "" && !props.isSaving) {
      onRenamed(wanted);
    }
  };
  return (
    <Dialog open onOpenChanged={onClosed} width="sm" title={props.title}>
      <DialogForm
        submitLabel={props.submitLabel}
        isSaving={props.isSaving}
        onSubmitted={submit}
        onCancelled={onClosed}
      >
        <Field
          required
          label={props.label}
          hint={props.hint}
          error={wanted === "" ? t("validation.nameRequired") : refusalOf(props.error)}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              value={text}
              onChange={(event) => {
                onEdited();
                setText(event.target.value);
              }}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  );
}
