import type { ReactNode } from "react";
import type { FormErrors } from "./case-form-state";

/** Errors without a field in the form, shown above it. */
export function unplacedMessage(errors: FormErrors, shown: readonly string[]): string | null {
  const texts = Object.entries(errors)
    .filter(([field]) => !field.startsWith("name.") && !shown.includes(field))
    .map(([, text]) => text);
  return texts.length === 0 ? null : texts.join(" ");
}

export interface FormFrameProps {
  children: ReactNode;
  footer: ReactNode;
  onSubmitted: () => void;
}

export function FormFrame({ children, footer, onSubmitted }: FormFrameProps) {
  return (
    <form
      noValidate
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmitted();
      }}
    >
      {children}
      <div className="sticky -bottom-5 -mx-6 -mb-5 flex flex-wrap items-center gap-2 border-t border-border bg-raised px-6 py-4">
        {footer}
      </div>
    </form>
  );
}
