import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FormAlert } from "./form-alert";
import { Button } from "./ui/button";
import { DialogFooter } from "./ui/dialog";

export interface DialogFormProps {
  children: ReactNode;
  submitLabel: string;
  onSubmitted: () => void;
  onCancelled: () => void;
  isSaving: boolean;
  /** Disables submitting. */
  disabled?: boolean;
  /** Error that belongs to no single field. */
  message?: string | null;
}

/** Form of a dialog: form-level error, fields, and submit and cancel buttons. */
export function DialogForm(props: DialogFormProps) {
  const { t } = useTranslation();
  return (
    <form
      noValidate
      className="grid min-w-0 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmitted();
      }}
    >
      <FormAlert message={props.message ?? null} />
      {props.children}
      <DialogFooter>
        <Button variant="ghost" onClick={props.onCancelled}>
          {t("ui.cancel")}
        </Button>
        <Button type="submit" loading={props.isSaving} disabled={props.disabled ?? false}>
          {props.submitLabel}
        </Button>
      </DialogFooter>
    </form>
  );
}
