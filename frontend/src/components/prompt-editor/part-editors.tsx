import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CodeEditor } from "@/components/editor/code-editor";
import type { EditorLanguage } from "@/components/editor/extensions";
import { Alert } from "@/components/ui/alert";
import { Tabs, type Tab } from "@/components/ui/tabs";
import { LONGEST, PARTS, type Content, type Occurrence, type Part } from "./content";
import { FewShots } from "./few-shots";
import { FreezeButton } from "./freeze-button";
import { CharacterCount } from "./token-counter";
import { findToolProblems, readTools } from "./tools";

const TOOLS: EditorLanguage = { kind: "json", check: findToolProblems };
const EXAMPLE_TOOL = JSON.stringify(
  [
    {
      name: "find_order",
      description: "Looks an order up",
      parameters: {
        type: "object",
        properties: { number: { type: "string" } },
        required: ["number"],
      },
    },
  ],
  null,
  2,
);
export interface PartEditorsProps {
  part: Part;
  onPartChanged: (part: Part) => void;
  content: Content;
  editable: boolean;
  missing: ReadonlySet<string>;
  shown: Occurrence | undefined;
  /** Shown beside the character count. */
  tokens: ReactNode;
  /** Order of the tabs. */
  parts?: readonly Part[];
  /** Height of the editors, as CSS classes. */
  height: string;
  onChanged: (content: Content) => void;
  onBlurred: () => void;
}

interface TextEditorProps extends PartEditorsProps {
  name: "system" | "text";
  language: EditorLanguage;
}

function TextEditor(props: TextEditorProps) {
  const { name, language, content, editable, shown, tokens, height, onChanged, onBlurred } = props;
  const { t } = useTranslation();
  return (
    <CodeEditor
      label={t(`prompts.editors.${name}`)}
      value={content[name]}
      language={language}
      readOnly={!editable}
      placeholder={t(`prompts.editors.${name}Placeholder`)}
      reveal={shown?.part === name ? shown : undefined}
      onChanged={(text) => onChanged({ ...content, [name]: text })}
      onBlurred={onBlurred}
      className={height}
      footer={
        <>
          <CharacterCount text={content[name]} limit={LONGEST[name]} />
          {tokens}
          {editable ? <FreezeButton /> : null}
        </>
      }
    />
  );
}

function ToolsEditor({ content, editable, height, onChanged, onBlurred }: PartEditorsProps) {
  const { t } = useTranslation();
  const unreadable = readTools(content.toolsText) === null;
  return (
    <div className="grid gap-3">
      <p className="text-sm text-ink-muted">{t("prompts.tools.hint")}</p>
      <CodeEditor
        label={t("prompts.editors.tools")}
        value={content.toolsText}
        language={TOOLS}
        readOnly={!editable}
        placeholder={EXAMPLE_TOOL}
        onChanged={(toolsText) => onChanged({ ...content, toolsText })}
        onBlurred={onBlurred}
        className={height}
        footer={<CharacterCount text={content.toolsText} />}
      />
      {unreadable ? <Alert tone="warning">{t("prompts.tools.notSaved")}</Alert> : null}
    </div>
  );
}

/**
 * Editors of a prompt's parts in tabs; an editor stays mounted once opened and keeps its history.
 */
export function PartEditors(props: PartEditorsProps) {
  const { part, onPartChanged, content, missing, editable, shown, onChanged, onBlurred } = props;
  const { t } = useTranslation();
  const { syntax } = content;
  const language = useMemo<EditorLanguage>(
    () => ({ kind: "template", syntax, missing }),
    [syntax, missing],
  );
  const tools = readTools(content.toolsText) ?? [];
  const numbered = (name: Part, count: number) =>
    count === 0 ? t(`prompts.parts.${name}`) : `${t(`prompts.parts.${name}`)} · ${count}`;
  const tabs: Record<Part, Tab<Part>> = {
    system: {
      value: "system",
      label: t("prompts.parts.system"),
      content: <TextEditor {...props} name="system" language={language} />,
    },
    text: {
      value: "text",
      label: t("prompts.parts.text"),
      content: <TextEditor {...props} name="text" language={language} />,
    },
    few_shots: {
      value: "few_shots",
      label: numbered("few_shots", content.fewShots.length),
      content: (
        <FewShots
          fewShots={content.fewShots}
          language={language}
          editable={editable}
          shown={shown}
          onChanged={(fewShots) => onChanged({ ...content, fewShots })}
          onBlurred={onBlurred}
        />
      ),
    },
    tools: {
      value: "tools",
      label: numbered("tools", tools.length),
      content: <ToolsEditor {...props} />,
    },
  };
  return (
    <Tabs
      keepOpened
      label={t("prompts.parts.label")}
      value={part}
      onValueChanged={onPartChanged}
      tabs={(props.parts ?? PARTS).map((name) => tabs[name])}
    />
  );
}
