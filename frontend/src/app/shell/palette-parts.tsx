import { Command } from "cmdk";
import type { ReactNode } from "react";

export interface PaletteItemProps {
  /** What the typed text is compared with. */
  value: string;
  icon: ReactNode;
  /** Small text at the end of the line. */
  note?: string;
  onChosen: () => void;
  children: ReactNode;
}

export function PaletteItem({ value, icon, note, onChosen, children }: PaletteItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onChosen}
      className="flex h-10 cursor-default items-center gap-3 rounded-md px-3 text-sm text-ink data-[selected=true]:bg-surface-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-muted"
    >
      {icon}
      <span className="min-w-0 truncate">{children}</span>
      {note === undefined ? null : (
        <span className="ml-auto shrink-0 text-xs text-ink-muted">{note}</span>
      )}
    </Command.Item>
  );
}

export function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="p-1 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-subtle"
    >
      {children}
    </Command.Group>
  );
}
