import { WrapText } from "lucide-react";
import { lazy, Suspense, useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import type { CodeEditorProps } from "./editor-props";
import { toggleWrapping, useWrapping } from "./wrapping";

const CodeMirror = lazy(() =>
  import("./code-mirror").then((module) => ({ default: module.CodeMirror })),
);

export interface CodeEditorFrameProps extends CodeEditorProps {
  /** Counts and similar, below the text. */
  footer?: ReactNode;
  className?: string;
  /** Hides the footer row: for many small editors on one page. */
  compact?: boolean;
}

export function EditorSkeleton() {
  return (
    <LoadingStatus className="flex-1">
      <div className="grid gap-3 p-4">
        <Skeleton className="h-3.5 w-3/4" />
        <Skeleton className="h-3.5 w-1/2" />
        <Skeleton className="h-3.5 w-2/3" />
      </div>
    </LoadingStatus>
  );
}

/** Toggle button for line wrapping. */
export function WrapToggle() {
  const { t } = useTranslation();
  const wrapping = useWrapping();
  return (
    <Button
      variant="ghost"
      size="sm"
      iconOnly
      aria-pressed={wrapping}
      aria-label={t("editor.wrap")}
      title={t("editor.wrapHint")}
      onClick={toggleWrapping}
      className={cn("h-6 w-6", wrapping && "bg-surface-hover text-ink")}
    >
      <WrapText aria-hidden />
    </Button>
  );
}

/** Code editor for prompt templates and JSON. Esc, then Tab, leaves it by keyboard. */
export function CodeEditor(props: CodeEditorFrameProps) {
  const { footer, className, compact = false, ...editor } = props;
  const { t } = useTranslation();
  const hint = useId();
  return (
    <div
      data-code-editor
      className={cn(
        "group flex flex-col overflow-hidden rounded-lg border border-border-input bg-raised has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-offset-2 has-[.cm-focused]:outline-focus",
        editor.readOnly === true && "border-border",
        className,
      )}
    >
      <Suspense fallback={<EditorSkeleton />}>
        <CodeMirror {...editor} describedBy={[props.describedBy, hint].filter(Boolean).join(" ")} />
      </Suspense>
      {compact ? null : (
        <div className="flex min-h-9 items-end gap-2 border-t border-border bg-surface px-3 py-1 text-xs text-ink-muted">
          <div className="flex min-h-7 min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
            {footer}
            <span aria-hidden className="ml-auto hidden group-has-[.cm-focused]:inline">
              {t("editor.leave")}
            </span>
          </div>
          <WrapToggle />
        </div>
      )}
      <span id={hint} className="sr-only">
        {t("editor.leave")}
      </span>
    </div>
  );
}
