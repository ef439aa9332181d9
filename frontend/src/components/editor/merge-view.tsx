import { lazy, Suspense } from "react";
import { cn } from "@/lib/cn";
import { EditorSkeleton } from "./code-editor";
import type { MergeEditorProps } from "./editor-props";

const MergeEditor = lazy(() =>
  import("./merge-editor").then((module) => ({ default: module.MergeEditor })),
);

/** Diff of two texts, side by side or unified. */
export function MergeView({ className, ...props }: MergeEditorProps & { className?: string }) {
  return (
    <div
      className={cn(
        "flex flex-col overflow-hidden rounded-lg border border-border-input has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-offset-2 has-[.cm-focused]:outline-focus",
        className,
      )}
    >
      {props.mode === "split" ? (
        <div
          aria-hidden
          className="grid grid-cols-2 border-b border-border bg-surface text-xs font-medium text-ink-muted [&>span]:truncate [&>span]:px-3 [&>span]:py-2"
        >
          <span>{props.beforeLabel}</span>
          <span>{props.afterLabel}</span>
        </div>
      ) : null}
      <Suspense fallback={<EditorSkeleton />}>
        <MergeEditor {...props} />
      </Suspense>
    </div>
  );
}
