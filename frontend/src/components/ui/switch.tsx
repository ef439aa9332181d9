import { Switch as Primitive } from "radix-ui";
import { useId, type ReactNode } from "react";
import { cn } from "@/lib/cn";

export interface SwitchProps {
  label: ReactNode;
  checked: boolean;
  onCheckedChanged: (checked: boolean) => void;
  description?: ReactNode;
  disabled?: boolean;
  /** Shows the label to screen readers only, as in a table column. */
  hideLabel?: boolean;
}

export function Switch(props: SwitchProps) {
  const { label, checked, onCheckedChanged, description, disabled, hideLabel = false } = props;
  const id = useId();
  return (
    <div className={cn("flex items-start justify-between", !hideLabel && "gap-6")}>
      <div className={hideLabel ? "sr-only" : "grid gap-0.5"}>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {description ? (
          <p id={`${id}-hint`} className="text-xs text-ink-muted">
            {description}
          </p>
        ) : null}
      </div>
      <Primitive.Root
        id={id}
        checked={checked}
        onCheckedChange={onCheckedChanged}
        disabled={disabled ?? false}
        aria-describedby={description ? `${id}-hint` : undefined}
        className="relative inline-flex h-5 w-9 shrink-0 items-center rounded-full bg-border-input transition-colors duration-150 disabled:opacity-50 data-[state=checked]:bg-accent-solid"
      >
        <Primitive.Thumb className="block size-4 translate-x-0.5 rounded-full bg-bg shadow-sm transition-transform duration-150 data-[state=checked]:translate-x-4.5" />
      </Primitive.Root>
    </div>
  );
}
