import { Slot } from "radix-ui";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { cn } from "@/lib/cn";
import { Spinner } from "./spinner";

const BASE =
  "inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap " +
  "transition-colors duration-150 select-none aria-disabled:opacity-50 [&_svg]:shrink-0";

const VARIANTS = {
  primary:
    "bg-accent-solid text-on-accent not-aria-disabled:hover:bg-accent-solid-hover not-aria-disabled:active:bg-accent-solid-active",
  secondary:
    "border border-border-strong bg-raised text-ink shadow-xs not-aria-disabled:hover:border-accent-ink not-aria-disabled:hover:text-accent-ink not-aria-disabled:active:bg-surface-hover",
  ghost:
    "text-ink-muted not-aria-disabled:hover:bg-surface-hover not-aria-disabled:hover:text-ink not-aria-disabled:active:bg-border",
  danger:
    "bg-danger-solid text-on-danger not-aria-disabled:hover:bg-danger-solid-hover not-aria-disabled:active:bg-danger-solid-active",
} as const;

const SIZES = {
  sm: "h-8 px-3 text-xs [&_svg]:size-3.5",
  md: "h-10 px-4 text-sm [&_svg]:size-4",
  lg: "h-12 px-6 text-base [&_svg]:size-5",
} as const;

const ICON_SIZES = { sm: "w-8 px-0", md: "w-10 px-0", lg: "w-12 px-0" } as const;

export interface ButtonLook {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
  iconOnly?: boolean;
}

export interface ButtonProps extends ComponentProps<"button">, ButtonLook {
  loading?: boolean;
  /** Renders the only child (a link) with the look of a button. */
  asChild?: boolean;
}

function content(loading: boolean, iconOnly: boolean, children: ReactNode): ReactNode {
  if (!loading) {
    return children;
  }
  return (
    <>
      <Spinner />
      {iconOnly ? null : children}
    </>
  );
}

/** Disabled and loading buttons stay focusable, so that screen reader users can learn why. */
export function Button({
  variant = "primary",
  size = "md",
  iconOnly = false,
  loading = false,
  disabled = false,
  asChild = false,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  const inert = disabled || loading;
  const classes = cn(BASE, VARIANTS[variant], SIZES[size], iconOnly && ICON_SIZES[size], className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (inert) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    onClick?.(event);
  };
  return (
    <button
      type={type}
      className={classes}
      aria-disabled={inert || undefined}
      aria-busy={loading || undefined}
      onClick={handleClick}
      {...rest}
    >
      {content(loading, iconOnly, children)}
    </button>
  );
}
