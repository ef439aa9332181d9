import type { ReactNode } from "react";

export interface LinkTabsProps {
  label: string;
  /** Links; the current one has aria-current. */
  children: ReactNode;
}

/** Tabs with an address each. */
export function LinkTabs({ label, children }: LinkTabsProps) {
  return (
    <nav
      aria-label={label}
      className="flex gap-1 overflow-x-auto border-b border-border [&>a]:-mb-px [&>a]:rounded-t-md [&>a]:border-b-2 [&>a]:border-transparent [&>a]:px-3 [&>a]:py-2.5 [&>a]:text-sm [&>a]:font-medium [&>a]:whitespace-nowrap [&>a]:text-ink-muted [&>a]:-outline-offset-2 [&>a]:transition-colors [&>a:hover]:text-ink [&>a[aria-current=page]]:border-accent-solid [&>a[aria-current=page]]:text-ink"
    >
      {children}
    </nav>
  );
}
