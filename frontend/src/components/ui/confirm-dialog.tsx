import { useState, type ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Button } from "./button";
import { Dialog, DialogFooter } from "./dialog";
import { Field, FieldError } from "./field";
import { Input } from "./input";

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChanged: (open: boolean) => void;
  title: string;
  description: ReactNode;
  confirmLabel: string;
  onConfirmed: () => void;
  tone?: "danger" | "primary";
  loading?: boolean;
  error?: string | null;
  /** Text the user must type to enable the action. */
  typed?: string;
  cancelLabel?: string;
}

function ConfirmForm(props: ConfirmDialogProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const ready = props.typed === undefined || text.trim() === props.typed;
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && props.loading !== true) {
          props.onConfirmed();
        }
      }}
    >
      {props.typed === undefined ? null : (
        <Field
          required
          label={
            <Trans
              i18nKey="ui.typeToConfirm"
              values={{ text: props.typed }}
              components={{ b: <strong className="font-semibold break-all" /> }}
            />
          }
        >
          {(control) => (
            <Input
              {...control}
              value={text}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      )}
      {props.error ? <FieldError>{props.error}</FieldError> : null}
      <DialogFooter>
        <Button variant="ghost" onClick={() => props.onOpenChanged(false)}>
          {props.cancelLabel ?? t("ui.cancel")}
        </Button>
        <Button
          type="submit"
          variant={props.tone ?? "danger"}
          disabled={!ready}
          loading={props.loading ?? false}
        >
          {props.confirmLabel}
        </Button>
      </DialogFooter>
    </form>
  );
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChanged={props.onOpenChanged}
      title={props.title}
      description={props.description}
      width="sm"
    >
      <ConfirmForm {...props} />
    </Dialog>
  );
}
