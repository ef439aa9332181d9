import { useTranslation } from "react-i18next";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { isApple, modKey } from "@/lib/shortcuts";

const SHORTCUTS = [
  {
    group: "general",
    rows: [
      { key: "palette", keys: `${modKey} K` },
      { key: "sheet", keys: "?" },
      { key: "search", keys: "/" },
      { key: "close", keys: "Esc" },
    ],
  },
  {
    group: "go",
    rows: [
      { key: "projects", keys: "g p" },
      { key: "home", keys: "g h" },
      { key: "playground", keys: "g l" },
      { key: "prompts", keys: "g r" },
      { key: "runs", keys: "g u" },
      { key: "datasets", keys: "g d" },
      { key: "scorers", keys: "g c" },
      { key: "annotation", keys: "g n" },
      { key: "experiments", keys: "g e" },
      { key: "reviews", keys: "g v" },
      { key: "models", keys: "g o" },
      { key: "budgets", keys: "g b" },
      { key: "members", keys: "g m" },
      { key: "settings", keys: "g s" },
      { key: "audit", keys: "g a" },
      { key: "operations", keys: "g q" },
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

export function ShortcutSheet({ open, onOpenChanged }: ShortcutSheetProps) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} onOpenChanged={onOpenChanged} title={t("shortcuts.title")} width="sm">
      {SHORTCUTS.map(({ group, rows }) => (
        <section key={group} className="grid gap-1">
          <h3 className="pb-1 text-xs font-medium text-ink-subtle">
            {t(`shortcuts.groups.${group}`)}
          </h3>
          <dl className="grid divide-y divide-border">
            {rows.map((row) => (
              <div key={row.key} className="flex items-center justify-between gap-4 py-2">
                <dt>{t(`shortcuts.${row.key}`)}</dt>
                <dd>
                  <Kbd keys={row.keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
