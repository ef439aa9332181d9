import { RadioGroup as Primitive } from "radix-ui";
import { useId } from "react";
import { cn } from "@/lib/cn";

export interface RadioOption<V extends string> {
  value: V;
  label: string;
  description?: string;
  disabled?: boolean;
}

export interface RadioGroupProps<V extends string> {
  legend: string;
  value: V;
  options: readonly RadioOption<V>[];
  onValueChanged: (value: V) => void;
  hideLegend?: boolean;
  className?: string;
}

export function RadioGroup<V extends string>(props: RadioGroupProps<V>) {
  const { legend, value, options, onValueChanged, hideLegend = false, className } = props;
  const id = useId();
  return (
    <div className={cn("grid gap-2", className)}>
      <span id={id} className={hideLegend ? "sr-only" : "text-sm font-medium"}>
        {legend}
      </span>
      <Primitive.Root
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onValueChanged(next as V)}
        className="grid gap-2"
      >
        {options.map((option) => (
          <label
            key={option.value}
            className="flex items-start gap-3 rounded-md border border-border bg-raised p-3 transition-colors not-has-disabled:hover:bg-surface has-disabled:opacity-50 has-data-[state=checked]:border-accent-solid"
          >
            <Primitive.Item
              value={option.value}
              disabled={option.disabled ?? false}
              className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-border-input bg-raised data-[state=checked]:border-accent-solid"
            >
              <Primitive.Indicator className="size-2 rounded-full bg-accent-solid" />
            </Primitive.Item>
            <span className="grid gap-0.5 text-sm">
              <span className="font-medium">{option.label}</span>
              {option.description === undefined ? null : (
                <span className="text-xs text-ink-muted">{option.description}</span>
              )}
            </span>
          </label>
        ))}
      </Primitive.Root>
    </div>
  );
}
