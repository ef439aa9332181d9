import { useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EditorLanguage } from "@/components/editor/extensions";
import { MergeView } from "@/components/editor/merge-view";
import { Segmented } from "@/components/ui/segmented";
import { Switch } from "@/components/ui/switch";
import { useMediaQuery } from "@/lib/hooks";
import type { Syntax } from "@/lib/template";

export type DiffMode = "split" | "unified";

/** Side by side where there is room, until the user chooses. */
export function useDiffMode(): [DiffMode, (mode: DiffMode) => void] {
  const isWide = useMediaQuery("(min-width: 64rem)");
  const [chosen, setChosen] = useState<DiffMode | null>(null);
  return [chosen ?? (isWide ? "split" : "unified"), setChosen];
}

export function useTemplateLanguage(syntax: Syntax): EditorLanguage {
  return useMemo(() => ({ kind: "template", syntax }), [syntax]);
}

export function DiffModeChoice(props: { mode: DiffMode; onModeChanged: (mode: DiffMode) => void }) {
  const { t } = useTranslation();
  return (
    <Segmented
      label={t("prompts.compare.mode")}
      value={props.mode}
      options={[
        { value: "split", label: t("prompts.compare.split") },
        { value: "unified", label: t("prompts.compare.unified") },
      ]}
      onValueChanged={props.onModeChanged}
    />
  );
}

/** Number of lines added and removed by a unified diff of one text. */
export function countLines(diff: string): { added: number; removed: number } {
  const all = diff.split("\n");
  const lines = all.slice(all.findIndex((line) => line.startsWith("@@")));
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** Number of lines added and removed by the diffs of all parts together. */
export function LineCount({ diffs }: { diffs: readonly string[] }) {
  const { t } = useTranslation();
  const counts = diffs.map(countLines);
  const added = counts.reduce((sum, each) => sum + each.added, 0);
  const removed = counts.reduce((sum, each) => sum + each.removed, 0);
  return (
    <span className="text-xs text-ink-muted tabular-nums">
      <span className="text-success">{t("reviews.diff.added", { count: added })}</span>
      {" · "}
      <span className="text-danger">{t("reviews.diff.removed", { count: removed })}</span>
    </span>
  );
}

export interface TextDiffProps {
  before: string;
  after: string;
  beforeLabel: string;
  afterLabel: string;
  diff: string;
  syntax: Syntax;
  title: string;
}

/** Diff of a part of the prompt, with changed words. */
export function TextDiff(props: TextDiffProps) {
  const { before, after, beforeLabel, afterLabel, diff, syntax, title } = props;
  const { t } = useTranslation();
  const id = useId();
  const [mode, setMode] = useDiffMode();
  const [collapsed, setCollapsed] = useState(true);
  const language = useTemplateLanguage(syntax);
  return (
    <section aria-labelledby={id} className="grid min-w-0 grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <LineCount diffs={[diff]} />
        <span className="ml-auto flex flex-wrap items-center gap-4">
          <Switch
            label={t("prompts.compare.collapse")}
            checked={collapsed}
            onCheckedChanged={setCollapsed}
          />
          <DiffModeChoice mode={mode} onModeChanged={setMode} />
        </span>
      </div>
      <MergeView
        before={before}
        after={after}
        beforeLabel={beforeLabel}
        afterLabel={afterLabel}
        mode={mode}
        collapsed={collapsed}
        language={language}
        className="max-h-[60dvh] min-h-40"
      />
    </section>
  );
}
