import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PartDiff } from "@/api/types";
import type { EditorLanguage } from "@/components/editor/extensions";
import { MergeView } from "@/components/editor/merge-view";
import { Segmented } from "@/components/ui/segmented";
import { Switch } from "@/components/ui/switch";

const PLAIN: EditorLanguage = { kind: "template", syntax: "double" };
const JSON_TEXT: EditorLanguage = { kind: "json", check: () => [] };

export interface PartDiffsProps {
  diffs: readonly PartDiff[];
  leftLabel: string;
  rightLabel: string;
}

type Side = "left" | "right";

/** Text of one side; the rows contain every line. */
export function textOf({ rows }: PartDiff, side: Side): string {
  return rows.flatMap((row) => (row[side] === null ? [] : [row[side]])).join("\n");
}

/** Diffs of the changed parts of a prompt, in tabs. */
export function PartDiffs({ diffs, leftLabel, rightLabel }: PartDiffsProps) {
  const { t } = useTranslation();
  const changed = diffs.filter((diff) => diff.unified !== "");
  const [chosen, setChosen] = useState<PartDiff["part"] | null>(null);
  const [mode, setMode] = useState<"split" | "unified">("split");
  const [collapsed, setCollapsed] = useState(true);
  const diff = changed.find((candidate) => candidate.part === chosen) ?? changed[0];
  if (diff === undefined) {
    return (
      <p className="rounded-lg border border-dashed border-border-strong px-4 py-8 text-center text-sm text-ink-muted">
        {t("prompts.compare.same")}
      </p>
    );
  }
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Segmented
          label={t("prompts.compare.part")}
          value={diff.part}
          options={changed.map(({ part, added, removed }) => ({
            value: part,
            label: `${t(`prompts.parts.${part}`)}  +${added} −${removed}`,
          }))}
          onValueChanged={setChosen}
        />
        <span className="ml-auto flex flex-wrap items-center gap-4">
          <Switch
            label={t("prompts.compare.collapse")}
            checked={collapsed}
            onCheckedChanged={setCollapsed}
          />
          <Segmented
            label={t("prompts.compare.mode")}
            value={mode}
            options={[
              { value: "split", label: t("prompts.compare.split") },
              { value: "unified", label: t("prompts.compare.unified") },
            ]}
            onValueChanged={setMode}
          />
        </span>
      </div>
      <MergeView
        key={diff.part}
        before={textOf(diff, "left")}
        after={textOf(diff, "right")}
        beforeLabel={leftLabel}
        afterLabel={rightLabel}
        mode={mode}
        collapsed={collapsed}
        language={diff.part === "tools" ? JSON_TEXT : PLAIN}
        className="max-h-[55dvh] min-h-40"
      />
    </div>
  );
}
