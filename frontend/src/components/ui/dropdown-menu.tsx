import { Check } from "lucide-react";
import { DropdownMenu as Primitive } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn";

export interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "right" | "bottom" | "left";
  className?: string;
}

export function Menu({ trigger, children, align = "end", side = "bottom", className }: MenuProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={cn(
            "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 animate-scale-in overflow-y-auto rounded-lg border border-border-strong bg-raised p-1 shadow-lg",
            className,
          )}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

const ITEM =
  "flex min-h-8 w-full cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left text-sm outline-none select-none " +
  "data-disabled:opacity-50 data-highlighted:bg-surface-hover [&>svg]:size-4 [&>svg]:shrink-0";

export interface MenuItemProps extends ComponentProps<typeof Primitive.Item> {
  tone?: "default" | "danger";
}

export function MenuItem({ tone = "default", className, ...rest }: MenuItemProps) {
  return (
    <Primitive.Item
      className={cn(
        ITEM,
        tone === "danger"
          ? "text-danger data-highlighted:bg-danger-bg"
          : "text-ink [&>svg]:text-ink-muted",
        className,
      )}
      {...rest}
    />
  );
}

export interface MenuChoicesProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string; icon?: ReactNode }[];
  onValueChanged: (value: V) => void;
}

export function MenuChoices<V extends string>(props: MenuChoicesProps<V>) {
  return (
    <Primitive.RadioGroup
      aria-label={props.label}
      value={props.value}
      onValueChange={(next) => props.onValueChanged(next as V)}
    >
      {props.options.map((option) => (
        <Primitive.RadioItem
          key={option.value}
          value={option.value}
          className={cn(ITEM, "[&>svg]:text-ink-muted")}
        >
          {option.icon}
          <span className="min-w-0 flex-1 wrap-anywhere">{option.label}</span>
          <Primitive.ItemIndicator>
            <Check aria-hidden className="size-4 text-accent-ink" />
          </Primitive.ItemIndicator>
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  );
}

export interface MenuCheckProps {
  checked: boolean;
  onCheckedChanged: (checked: boolean) => void;
  children: ReactNode;
}

/** Checkbox entry; the menu stays open. */
export function MenuCheck({ checked, onCheckedChanged, children }: MenuCheckProps) {
  return (
    <Primitive.CheckboxItem
      checked={checked}
      onCheckedChange={onCheckedChanged}
      onSelect={(event) => event.preventDefault()}
      className={ITEM}
    >
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <Primitive.ItemIndicator>
        <Check aria-hidden className="size-4 text-accent-ink" />
      </Primitive.ItemIndicator>
    </Primitive.CheckboxItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <Primitive.Label className="px-2.5 py-1.5 text-xs font-medium text-ink-subtle">
      {children}
    </Primitive.Label>
  );
}

export function MenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-border" />;
}
