import { CircleAlert } from "lucide-react";
import { Label as LabelPrimitive } from "radix-ui";
import { useId, type ComponentProps, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn";
import { Explained, LabelTerms } from "./explained";

export function Label({ className, ...rest }: ComponentProps<typeof LabelPrimitive.Root>) {
  return (
    <LabelPrimitive.Root className={cn("text-sm font-medium text-ink", className)} {...rest} />
  );
}

export function RequiredMark() {
  const { t } = useTranslation();
  return (
    <span aria-hidden className="ml-0.5 text-danger" title={t("ui.required")}>
      *
    </span>
  );
}

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-xs text-danger">
      <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}

/** Props that connect a control with its label, hint and error. */
export interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  "aria-required": true | undefined;
}

export interface FieldProps {
  label: ReactNode;
  children: (control: ControlProps) => ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  className?: string;
}

export function Field({ label, children, hint, error, required = false, className }: FieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const failed = error !== undefined && error !== null && error !== "";
  const described = [hint ? hintId : null, failed ? errorId : null].filter(Boolean).join(" ");
  return (
    <div className={cn("grid gap-1.5", className)}>
      <div className="flex flex-wrap items-center gap-1.5">
        <Label htmlFor={id}>
          {label}
          {required ? (
            <RequiredMark />
          ) : (
            <span className="ml-1.5 text-xs font-normal text-ink-subtle">{t("ui.optional")}</span>
          )}
        </Label>
        {typeof label === "string" ? <LabelTerms text={label} /> : null}
      </div>
      {children({
        id,
        "aria-describedby": described === "" ? undefined : described,
        "aria-invalid": failed || undefined,
        "aria-required": required || undefined,
      })}
      {hint ? (
        <p id={hintId} className="text-xs text-ink-muted">
          {typeof hint === "string" ? <Explained text={hint} /> : hint}
        </p>
      ) : null}
      {failed ? <FieldError id={errorId}>{error}</FieldError> : null}
    </div>
  );
}
