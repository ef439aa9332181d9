import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn";

export const CONTROL =
  "w-full rounded-md border border-border-input bg-raised text-sm text-ink shadow-xs transition-colors " +
  "duration-150 placeholder:text-ink-subtle hover:border-ink-muted focus-visible:outline-focus " +
  "aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-surface disabled:opacity-60 ";

export interface InputProps extends ComponentProps<"input"> {
  /** Icon inside the left edge. */
  icon?: ReactNode;
}

export function Input({ className, icon, ...rest }: InputProps) {
  const control = (
    <input
      dir="auto"
      className={cn(
        CONTROL,
        "h-10 px-3 read-only:bg-surface",
        icon !== undefined && "pl-9",
        className,
      )}
      {...rest}
    />
  );
  if (icon === undefined) {
    return control;
  }
  return (
    <div className="relative">
      <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-ink-subtle [&_svg]:size-4">
        {icon}
      </span>
      {control}
    </div>
  );
}
