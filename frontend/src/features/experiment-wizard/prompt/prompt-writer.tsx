import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  conversationOf,
  findOccurrences,
  type Content,
  type Occurrence,
  type Part,
} from "@/components/prompt-editor/content";
import { PartEditors } from "@/components/prompt-editor/part-editors";
import { TokenCount } from "@/components/prompt-editor/token-counter";
import { VariableChips } from "@/components/prompt-editor/variable-chips";
import { Field, FieldError } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { StepProps } from "../wizard-step";
import { missingNames } from "./prompt-form";

const EDITOR_HEIGHT = "h-[max(18rem,calc(100dvh-34rem))]";
/** The main text comes first: every prompt has one. */
const PARTS = ["text", "system", "few_shots", "tools"] as const satisfies Part[];
const FIELDS_SHOWN_ELSEWHERE = ["prompt_id", "version_id", "name"];

export interface PromptWriterProps extends StepProps<"prompt"> {
  content: Content;
  onContentChanged: (content: Content) => void;
}

/** Editor of the prompt's name, texts and variables. */
export function PromptWriter(props: PromptWriterProps) {
  const { slug, part, draft, errors, editable, content, onChanged, onContentChanged } = props;
  const { t } = useTranslation();
  const [shownPart, showPart] = useState<Part>("text");
  const [shown, setShown] = useState<Occurrence>();
  const occurrences = useMemo(() => findOccurrences(content), [content]);
  const conversation = useMemo(() => conversationOf(content), [content]);
  const names = [...missingNames(content, draft.data)].join("\n");
  const missing = useMemo(() => new Set(names === "" ? [] : names.split("\n")), [names]);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <Field label={t("wizard.prompt.name")} hint={t("wizard.prompt.nameHint")} error={errors.name}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={100}
            readOnly={!editable}
            value={part.name}
            onChange={(event) => onChanged({ name: event.target.value })}
          />
        )}
      </Field>
      <VariableChips
        occurrences={occurrences}
        syntax={content.syntax}
        editable={editable}
        missing={missing}
        onSyntaxChanged={(syntax) => onContentChanged({ ...content, syntax })}
        onOccurrenceWanted={(occurrence) => {
          setShown({ ...occurrence });
          showPart(occurrence.part);
        }}
      />
      <PartEditors
        height={EDITOR_HEIGHT}
        parts={PARTS}
        part={shownPart}
        onPartChanged={showPart}
        content={content}
        editable={editable}
        missing={missing}
        shown={shown}
        tokens={<TokenCount slug={slug} modelId={undefined} conversation={conversation} />}
        onChanged={onContentChanged}
        onBlurred={() => undefined}
      />
      {Object.entries(errors)
        .filter(([field]) => !FIELDS_SHOWN_ELSEWHERE.includes(field))
        .map(([field, message]) => (
          <FieldError key={field}>{message}</FieldError>
        ))}
    </div>
  );
}
