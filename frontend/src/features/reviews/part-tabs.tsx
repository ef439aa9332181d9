import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PartName } from "@/api/types";
import { CodeEditor } from "@/components/editor/code-editor";
import type { Reveal } from "@/components/editor/editor-props";
import { MergeView } from "@/components/editor/merge-view";
import { LONGEST } from "@/components/prompt-editor/content";
import { FewShots } from "@/components/prompt-editor/few-shots";
import { CharacterCount } from "@/components/prompt-editor/token-counter";
import { Tabs } from "@/components/ui/tabs";
import { useDebounced } from "@/lib/hooks";
import type { Syntax } from "@/lib/template";
import { writeExamples, type EditedParts } from "./edited-parts";
import { useTemplateLanguage, type DiffMode } from "./text-diff";

export interface PartTabsProps {
  before: EditedParts;
  beforeLabel: string;
  edited: EditedParts;
  onEdited: (edited: EditedParts) => void;
  syntax: Syntax;
  mode: DiffMode;
  /** The part that is open at first. */
  start: PartName;
  /** Set where the editor is the main element of the page. */
  autoFocus: boolean;
}

const START: Reveal = { from: 0, to: 0 };
const DEBOUNCE_MS = 350;

type PartProps = Omit<PartTabsProps, "start">;

function ResultDiff({ before, beforeLabel, after, syntax }: ResultDiffProps) {
  const { t } = useTranslation();
  const language = useTemplateLanguage(syntax);
  // The diff is rebuilt for every text, so it waits until typing pauses.
  const settled = useDebounced(after, DEBOUNCE_MS);
  return (
    <MergeView
      before={before}
      after={settled}
      beforeLabel={beforeLabel}
      afterLabel={t("reviews.edit.result")}
      mode="unified"
      collapsed
      language={language}
      className="max-h-[40dvh] min-h-32"
    />
  );
}

interface ResultDiffProps {
  before: string;
  beforeLabel: string;
  after: string;
  syntax: Syntax;
}

function TextPart(props: PartProps & { name: "text" | "system" }) {
  const { name, before, beforeLabel, edited, onEdited, syntax, mode, autoFocus } = props;
  const { t } = useTranslation();
  const language = useTemplateLanguage(syntax);
  const label = t(`reviews.edit.${name}`);
  const onChanged = (text: string) => onEdited({ ...edited, [name]: text });
  if (mode === "split") {
    return (
      <MergeView
        autoFocus={autoFocus}
        before={before[name]}
        after={edited[name]}
        beforeLabel={beforeLabel}
        afterLabel={label}
        mode="split"
        collapsed={false}
        language={language}
        onAfterChanged={onChanged}
        className="max-h-[60dvh] min-h-64"
      />
    );
  }
  return (
    <div className="grid min-w-0 gap-3">
      <CodeEditor
        label={label}
        value={edited[name]}
        language={language}
        reveal={autoFocus ? START : undefined}
        onChanged={onChanged}
        className="max-h-[45dvh] min-h-48"
        footer={<CharacterCount text={edited[name]} limit={LONGEST[name]} />}
      />
      <ResultDiff
        before={before[name]}
        beforeLabel={beforeLabel}
        after={edited[name]}
        syntax={syntax}
      />
    </div>
  );
}

function ExamplesPart({ before, beforeLabel, edited, onEdited, syntax }: PartProps) {
  const language = useTemplateLanguage(syntax);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <FewShots
        fewShots={edited.fewShots}
        language={language}
        editable
        shown={undefined}
        onChanged={(fewShots) => onEdited({ ...edited, fewShots })}
        onBlurred={() => undefined}
      />
      <ResultDiff
        before={writeExamples(before.fewShots)}
        beforeLabel={beforeLabel}
        after={writeExamples(edited.fewShots)}
        syntax={syntax}
      />
    </div>
  );
}

/** Editors of the parts that a suggestion may change, each with its diff. */
export function PartTabs({ start, ...props }: PartTabsProps) {
  const { t } = useTranslation();
  const [part, setPart] = useState<PartName>(start);
  const count = props.edited.fewShots.length;
  const examples = t("reviews.parts.few_shots");
  return (
    <Tabs
      keepOpened
      label={t("prompts.parts.label")}
      value={part}
      onValueChanged={setPart}
      tabs={[
        {
          value: "text",
          label: t("reviews.parts.text"),
          content: <TextPart {...props} name="text" />,
        },
        {
          value: "system",
          label: t("reviews.parts.system"),
          content: <TextPart {...props} name="system" />,
        },
        {
          value: "few_shots",
          label: count === 0 ? examples : `${examples} · ${count}`,
          content: <ExamplesPart {...props} />,
        },
      ]}
    />
  );
}
