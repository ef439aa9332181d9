import { Tabs as Primitive } from "radix-ui";
import { useState, type ReactNode } from "react";

export interface Tab<V extends string> {
  value: V;
  label: string;
  content: ReactNode;
  icon?: ReactNode;
}

export interface TabsProps<V extends string> {
  label: string;
  value: V;
  tabs: readonly Tab<V>[];
  onValueChanged: (value: V) => void;
  /** Keeps opened tabs mounted but hidden, with their state. */
  keepOpened?: boolean;
}

export function Tabs<V extends string>(props: TabsProps<V>) {
  const { label, value, tabs, onValueChanged, keepOpened = false } = props;
  const [opened, setOpened] = useState<readonly V[]>([value]);
  if (!opened.includes(value)) {
    setOpened([...opened, value]);
  }
  return (
    <Primitive.Root value={value} onValueChange={(next) => onValueChanged(next as V)}>
      <Primitive.List
        aria-label={label}
        className="flex gap-1 overflow-x-auto border-b border-border"
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px flex items-center gap-2 rounded-t-md border-b-2 border-transparent px-3 py-2.5 text-sm font-medium whitespace-nowrap text-ink-muted -outline-offset-2 transition-colors hover:text-ink data-[state=active]:border-accent-solid data-[state=active]:text-ink [&_svg]:size-4"
          >
            {tab.icon}
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content
          key={tab.value}
          value={tab.value}
          {...(keepOpened && opened.includes(tab.value) ? { forceMount: true } : {})}
          className="pt-6 data-[state=inactive]:hidden"
        >
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
