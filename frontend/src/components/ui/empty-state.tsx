import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

export interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  description: ReactNode;
  action?: ReactNode;
  /** Without a frame, for use inside a card. */
  bare?: boolean;
  /** The state is the whole page, so its title is that of the page. */
  isPage?: boolean;
}

export function EmptyState({
  icon,
  title,
  description,
  action,
  bare = false,
  isPage = false,
}: EmptyStateProps) {
  const Heading = isPage ? "h1" : "h2";
  return (
    <div
      className={cn(
        "flex flex-col items-center gap-4 px-6 text-center",
        bare ? "py-8" : "rounded-xl border border-dashed border-border-strong py-16",
      )}
    >
      <div
        aria-hidden
        className="flex size-11 items-center justify-center rounded-xl border border-border bg-surface text-ink-muted [&_svg]:size-5"
      >
        {icon}
      </div>
      <div className="grid max-w-md gap-1">
        <Heading className="text-base font-semibold text-balance">{title}</Heading>
        <p className="text-sm text-pretty text-ink-muted">{description}</p>
      </div>
      {action}
    </div>
  );
}
