import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Markdown } from "@/components/markdown";
import { CharacterCount } from "@/components/prompt-editor/token-counter";
import { countCharacters } from "@/components/prompt-editor/content";
import { Card, CardContent } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { Textarea } from "@/components/ui/textarea";
import { AssistPanel } from "../assist-panel";
import { TextChoices } from "../text-choices";
import type { StepProps } from "../wizard-step";

const SHORTEST = 20;
const LONGEST = 2000;

/** Client-side validation. */
function useGoalError(goal: string): string | undefined {
  const { t } = useTranslation();
  const over = countCharacters(goal.trim()) - LONGEST;
  return over > 0 ? t("wizard.objective.tooLong", { count: over }) : undefined;
}

function Goal({ part, errors, editable, onChanged }: StepProps<"objective">) {
  const { t } = useTranslation();
  const [view, setView] = useState<"write" | "preview">("write");
  const tooLong = useGoalError(part.goal);
  const missing = SHORTEST - countCharacters(part.goal.trim());
  return (
    <Card>
      <CardContent className="grid gap-3">
        <Field
          required
          label={t("wizard.objective.goal")}
          hint={
            missing > 0
              ? t("wizard.objective.more", { count: missing })
              : t("wizard.objective.markdown")
          }
          error={tooLong ?? errors.goal}
        >
          {(control) =>
            view === "write" ? (
              <Textarea
                {...control}
                rows={10}
                className="[field-sizing:content] max-h-[60dvh] min-h-40"
                readOnly={!editable}
                placeholder={t("wizard.objective.placeholder")}
                value={part.goal}
                onChange={(event) => onChanged({ goal: event.target.value })}
              />
            ) : (
              <div id={control.id} className="min-h-40 rounded-md border border-border p-4 text-sm">
                {part.goal.trim() === "" ? (
                  <p className="text-ink-muted">{t("wizard.objective.nothing")}</p>
                ) : (
                  <Markdown text={part.goal} />
                )}
              </div>
            )
          }
        </Field>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Segmented
            label={t("wizard.objective.view")}
            value={view}
            options={[
              { value: "write", label: t("wizard.objective.write") },
              { value: "preview", label: t("wizard.objective.preview") },
            ]}
            onValueChanged={setView}
          />
          <span className="text-xs text-ink-muted">
            <CharacterCount text={part.goal} limit={LONGEST} />
          </span>
        </div>
      </CardContent>
    </Card>
  );
}

/** Step: objective. */
export function ObjectiveStep(props: StepProps<"objective">) {
  const { part } = props;
  const { t } = useTranslation();
  const blockedBy = part.goal.trim() === "" ? t("wizard.objective.writeFirst") : null;
  return (
    <div className="grid gap-6">
      <Goal {...props} />
      <AssistPanel
        {...props}
        step="objective"
        hints={{
          label: t("wizard.objective.hints"),
          placeholder: t("wizard.objective.hintsPlaceholder"),
          fallback: part.goal,
        }}
        actions={[
          { action: "draft", label: t("wizard.objective.draft"), needsHints: true },
          { action: "improve", label: t("wizard.assist.improve"), blockedBy },
          { action: "detail", label: t("wizard.objective.detail"), blockedBy },
        ]}
      >
        {(found, apply) => (
          <TextChoices
            isMarkdown
            texts={found.texts}
            onChosen={({ text }) => apply({ goal: text })}
          />
        )}
      </AssistPanel>
    </div>
  );
}
