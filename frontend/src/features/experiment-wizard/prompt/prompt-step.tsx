import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TextOption } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/segmented";
import { AssistPanel } from "../assist-panel";
import { TextChoices } from "../text-choices";
import { useForm } from "../use-form";
import type { StepProps } from "../wizard-step";
import { RULES } from "./prompt-form";
import { PromptLibrary } from "./prompt-library";
import { PromptTest } from "./prompt-test";
import { PromptWriter } from "./prompt-writer";

type Source = "write" | "library";

/** Change of the prompt made by an option; an improved text keeps the system text. */
function changeOf({ text, system }: TextOption) {
  return { text, ...(system == null ? {} : { system }) };
}

function NewPrompt(props: StepProps<"prompt">) {
  const { slug, part, draft, onChanged } = props;
  const { t } = useTranslation();
  const [content, change] = useForm(part, RULES, onChanged);
  const [isTesting, setTesting] = useState(false);
  const goalFirst = draft.objective.goal.trim() === "" ? t("wizard.rubric.objectiveFirst") : null;
  const textFirst = part.text.trim() === "" ? t("wizard.prompt.writeFirst") : null;
  return (
    <div className="grid min-w-0 gap-6">
      <AssistPanel
        {...props}
        step="prompt"
        actions={[
          { action: "draft", label: t("wizard.prompt.draft"), blockedBy: goalFirst },
          {
            action: "improve",
            label: t("wizard.assist.improve"),
            blockedBy: goalFirst ?? textFirst,
          },
          {
            action: "constrain",
            label: t("wizard.prompt.constrain"),
            blockedBy: goalFirst ?? textFirst,
          },
        ]}
        extra={
          <Button
            variant="secondary"
            size="sm"
            aria-pressed={isTesting}
            onClick={() => setTesting(!isTesting)}
          >
            <FlaskConical aria-hidden />
            {t(isTesting ? "wizard.prompt.endTest" : "wizard.prompt.test")}
          </Button>
        }
      >
        {(found, apply) => (
          <TextChoices
            isMarkdown={false}
            texts={found.texts}
            onChosen={(option) => apply(changeOf(option))}
          />
        )}
      </AssistPanel>
      {isTesting ? <PromptTest slug={slug} content={content} draft={draft} /> : null}
      <PromptWriter {...props} content={content} onContentChanged={change} />
    </div>
  );
}

/** Step: initial prompt, written here or from the library. */
export function PromptStep(props: StepProps<"prompt">) {
  const { part, editable, onChanged } = props;
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<Source | null>(null);
  // A chosen library prompt takes precedence.
  const source = part.prompt_id === null ? (wanted ?? "write") : "library";
  return (
    <div className="grid min-w-0 gap-6">
      {editable ? (
        <div>
          <Segmented
            label={t("wizard.prompt.source")}
            value={source}
            options={[
              { value: "write", label: t("wizard.prompt.write") },
              { value: "library", label: t("wizard.prompt.library") },
            ]}
            onValueChanged={(next) => {
              setWanted(next);
              if (next === "write" && part.prompt_id !== null) {
                onChanged({ prompt_id: null, version_id: null });
              }
            }}
          />
        </div>
      ) : null}
      {source === "library" ? <PromptLibrary {...props} /> : <NewPrompt {...props} />}
    </div>
  );
}
