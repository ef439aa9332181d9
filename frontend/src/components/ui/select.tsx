import { Check, ChevronDown } from "lucide-react";
import { Select as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { cspNonce } from "@/lib/nonce";
import { CONTROL } from "./input";

export interface SelectOption<V extends string = string> {
  value: V;
  label: string;
  description?: string;
  disabled?: boolean;
}

export interface SelectProps<V extends string> {
  value: V;
  options: readonly SelectOption<V>[];
  onValueChanged: (value: V) => void;
  id?: string | undefined;
  disabled?: boolean;
  size?: "sm" | "md";
  className?: string;
  placeholder?: string;
  icon?: ReactNode;
  "aria-label"?: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: true | undefined;
  "aria-required"?: true | undefined;
}

export function Select<V extends string>({
  value,
  options,
  onValueChanged,
  disabled = false,
  size = "md",
  className,
  placeholder,
  icon,
  ...rest
}: SelectProps<V>) {
  return (
    <Primitive.Root
      value={value}
      onValueChange={(next) => onValueChanged(next as V)}
      disabled={disabled}
    >
      <Primitive.Trigger
        className={cn(
          CONTROL,
          "flex items-center justify-between gap-2 text-left [&>span]:truncate",
          size === "sm" ? "h-8 px-2.5 text-xs" : "h-10 px-3",
          className,
        )}
        {...rest}
      >
        {icon}
        <Primitive.Value placeholder={placeholder} />
        <Primitive.Icon>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-subtle" />
        </Primitive.Icon>
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-scale-in overflow-hidden rounded-lg border border-border-strong bg-raised shadow-lg"
        >
          <Primitive.Viewport nonce={cspNonce} className="p-1">
            {options.map((option) => (
              <Primitive.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled ?? false}
                className="relative flex cursor-default flex-col rounded-md py-1.5 pr-8 pl-2.5 text-sm outline-none select-none data-disabled:opacity-50 data-highlighted:bg-surface-hover"
              >
                <Primitive.ItemText>{option.label}</Primitive.ItemText>
                {option.description === undefined ? null : (
                  <span className="max-w-72 text-xs text-ink-muted">{option.description}</span>
                )}
                <Primitive.ItemIndicator className="absolute top-2 right-2">
                  <Check aria-hidden className="size-4 text-accent-ink" />
                </Primitive.ItemIndicator>
              </Primitive.Item>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
