import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "@/components/ui/copy-button";

/** Plain text box that scrolls when the text is long. */
export function TextBox({ children }: { children: ReactNode }) {
  return (
    <pre
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-lg border border-border bg-surface p-3.5 text-sm leading-relaxed wrap-anywhere whitespace-pre-wrap"
    >
      {children}
    </pre>
  );
}

export interface TextBlockProps {
  label: string;
  /** Copied text; also shown unless children are given. */
  text: string;
  actions?: ReactNode;
  children?: ReactNode;
}

export function TextBlock({ label, text, actions, children }: TextBlockProps) {
  const { t } = useTranslation();
  return (
    <section aria-label={label} className="grid gap-1.5">
      <div className="flex min-h-8 items-center gap-2">
        <h3 className="text-xs font-medium text-ink-muted">{label}</h3>
        {actions}
        <span className="ml-auto">
          <CopyButton text={text} label={t("runs.dialog.copy", { what: label })} />
        </span>
      </div>
      {children ?? <TextBox>{text}</TextBox>}
    </section>
  );
}
