import { ChevronRight } from "lucide-react";
import { useState, type ReactNode } from "react";
import { cn } from "@/lib/cn";

export interface DisclosureProps {
  label: ReactNode;
  children: ReactNode;
  /** Keeps it open when something inside needs attention. */
  forcedOpen?: boolean;
  className?: string | undefined;
}

export function Disclosure({ label, children, forcedOpen = false, className }: DisclosureProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      open={open || forcedOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className={cn("group rounded-lg border border-border", className)}
    >
      <summary className="flex cursor-default list-none items-center gap-2 rounded-lg px-3.5 py-2.5 text-sm font-medium text-ink-muted select-none hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 transition-transform duration-150 group-open:rotate-90"
        />
        {label}
      </summary>
      <div className="border-t border-border p-4">{children}</div>
    </details>
  );
}
