import { useTranslation } from "react-i18next";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { isApple, modKey } from "@/lib/shortcuts";
import { usePages } from "./navigation";

const SHORTCUTS = [
  {
    group: "general",
    rows: [
      { key: "palette", keys: `${modKey} K` },
      { key: "sheet", keys: "?" },
      { key: "search", keys: "/" },
      { key: "sidebar", keys: `${modKey} B` },
      { key: "close", keys: "Esc" },
    ],
  },
  {
    group: "playground",
    rows: [
      { key: "run", keys: `${modKey} Enter` },
      { key: "metric", keys: "m" },
    ],
  },
  {
    group: "review",
    rows: [
      { key: "approve", keys: "." },
      { key: "undoApproval", keys: "u" },
      { key: "reject", keys: "," },
      { key: "edit", keys: "e" },
      { key: "comment", keys: "c" },
      { key: "nextExample", keys: "j" },
      { key: "previousExample", keys: "k" },
      { key: "nextSuggestion", keys: "n" },
    ],
  },
  {
    group: "prompt",
    rows: [
      { key: "saveDraft", keys: `${modKey} S` },
      { key: "newVersion", keys: "v n" },
      { key: "history", keys: "v h" },
      { key: "preview", keys: "v p" },
      { key: "wrap", keys: "Ctrl Shift Z" },
      { key: "find", keys: `${modKey} F` },
      { key: "fold", keys: isApple ? "⌘ Option [" : "Ctrl Shift [" },
      { key: "nextProblem", keys: "F8" },
      { key: "leaveEditor", keys: "Esc Tab" },
    ],
  },
] as const;

export interface ShortcutSheetProps {
  open: boolean;
  onOpenChanged: (open: boolean) => void;
}

interface SectionProps {
  title: string;
  rows: readonly { name: string; keys: string }[];
}

function Section({ title, rows }: SectionProps) {
  return (
    <section className="grid gap-1">
      <h3 className="pb-1 text-xs font-medium text-ink-subtle">{title}</h3>
      <dl className="grid divide-y divide-border">
        {rows.map(({ name, keys }) => (
          <div key={keys} className="flex items-center justify-between gap-4 py-2">
            <dt>{name}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function ShortcutSheet({ open, onOpenChanged }: ShortcutSheetProps) {
  const { t } = useTranslation();
  const pages = usePages().map(({ key, shortcut }) => ({ name: t(`nav.${key}`), keys: shortcut }));
  const [general, ...others] = SHORTCUTS.map(({ group, rows }) => (
    <Section
      key={group}
      title={t(`shortcuts.groups.${group}`)}
      rows={rows.map(({ key, keys }) => ({ name: t(`shortcuts.${key}`), keys }))}
    />
  ));
  return (
    <Dialog open={open} onOpenChanged={onOpenChanged} title={t("shortcuts.title")} width="sm">
      {general}
      <Section
        title={t("shortcuts.groups.go")}
        rows={[{ name: t("nav.allProjects"), keys: "g p" }, ...pages]}
      />
      {others}
    </Dialog>
  );
}
