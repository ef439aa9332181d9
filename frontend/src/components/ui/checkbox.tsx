import { Check, Minus } from "lucide-react";
import { Checkbox as Primitive } from "radix-ui";
import { useId, type ReactNode } from "react";
import { FieldError } from "./field";

export interface CheckboxProps {
  label: ReactNode;
  checked: boolean | "indeterminate";
  onCheckedChanged: (checked: boolean) => void;
  description?: ReactNode;
  error?: string | undefined;
  disabled?: boolean;
  required?: boolean;
}

export function Checkbox(props: CheckboxProps) {
  const { label, checked, onCheckedChanged, description, error, disabled, required } = props;
  const id = useId();
  const described = [description ? `${id}-hint` : null, error ? `${id}-error` : null]
    .filter(Boolean)
    .join(" ");
  return (
    <div className="grid gap-1.5">
      <div className="flex items-start gap-2.5">
        <Primitive.Root
          id={id}
          checked={checked}
          onCheckedChange={(next) => onCheckedChanged(next === true)}
          disabled={disabled ?? false}
          aria-describedby={described || undefined}
          aria-invalid={error ? true : undefined}
          aria-required={required ?? undefined}
          className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border border-border-input bg-raised text-on-accent transition-colors disabled:opacity-50 aria-invalid:border-danger data-[state=checked]:border-accent-solid data-[state=checked]:bg-accent-solid data-[state=indeterminate]:border-accent-solid data-[state=indeterminate]:bg-accent-solid"
        >
          <Primitive.Indicator>
            {checked === "indeterminate" ? (
              <Minus aria-hidden className="size-3" />
            ) : (
              <Check aria-hidden className="size-3" strokeWidth={3} />
            )}
          </Primitive.Indicator>
        </Primitive.Root>
        <div className="grid gap-0.5">
          <label htmlFor={id} className="text-sm text-ink">
            {label}
          </label>
          {description ? (
            <p id={`${id}-hint`} className="text-xs text-ink-muted">
              {description}
            </p>
          ) : null}
        </div>
      </div>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
    </div>
  );
}
