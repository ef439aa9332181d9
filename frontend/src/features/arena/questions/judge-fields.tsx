import { Plus, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { QuestionCriterion } from "@/api/arena";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { ModelChooser } from "../model-chooser";
import { MOST_CRITERIA, type JudgeDraft, type OwnCriterion } from "./judge-draft";

const LONGEST_NAME = 50;
const LONGEST_DESCRIPTION = 500;
const LONGEST_GOAL = 2000;

export interface JudgePartProps {
  slug: string;
  draft: JudgeDraft;
  change: (part: Partial<JudgeDraft>) => void;
}

export function JudgeSection({ slug, draft, change }: JudgePartProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{t("questions.new.judges")}</legend>
      <p className="text-xs text-ink-muted">{t("questions.new.judgesHint")}</p>
      <ModelChooser
        slug={slug}
        chosen={draft.judgeIds}
        onChosenChanged={(judgeIds) => change({ judgeIds })}
      />
    </fieldset>
  );
}

interface OwnProps {
  criterion: OwnCriterion;
  onChanged: (criterion: OwnCriterion) => void;
  onRemoved: () => void;
}

function OwnFields({ criterion, onChanged, onRemoved }: OwnProps) {
  const { t } = useTranslation();
  return (
    <li className="grid items-start gap-3 rounded-lg border border-border p-3 sm:grid-cols-[10rem_1fr_auto]">
      <Field required label={t("fields.name")}>
        {(control) => (
          <Input
            {...control}
            maxLength={LONGEST_NAME}
            value={criterion.name}
            onChange={(event) => onChanged({ ...criterion, name: event.target.value })}
          />
        )}
      </Field>
      <Field required label={t("questions.new.ownDescription")}>
        {(control) => (
          <Input
            {...control}
            maxLength={LONGEST_DESCRIPTION}
            placeholder={t("questions.new.ownPlaceholder")}
            value={criterion.description}
            onChange={(event) => onChanged({ ...criterion, description: event.target.value })}
          />
        )}
      </Field>
      <Button
        variant="ghost"
        iconOnly
        aria-label={t("questions.new.removeOwn", { name: criterion.name })}
        className="sm:mt-6"
        onClick={onRemoved}
      >
        <Trash2 aria-hidden />
      </Button>
    </li>
  );
}

export function CriteriaSection({
  draft,
  change,
  usual,
}: JudgePartProps & { usual: readonly QuestionCriterion[] }) {
  const { t } = useTranslation();
  const { leftOut, own } = draft;
  const kept = usual.length - leftOut.length;
  const next = own.reduce((most, { key }) => Math.max(most, key + 1), 0);
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-sm font-medium">{t("questions.new.criteria")}</legend>
      <ul className="grid gap-3 sm:grid-cols-2">
        {usual.map(({ name, description, weight }) => (
          <li key={name}>
            <Checkbox
              label={name}
              description={
                weight === 0 ? `${description} ${t("questions.new.shownOnly")}` : description
              }
              checked={!leftOut.includes(name)}
              onCheckedChanged={(checked) =>
                change({
                  leftOut: checked ? leftOut.filter((each) => each !== name) : [...leftOut, name],
                })
              }
            />
          </li>
        ))}
      </ul>
      <ul className="grid gap-3">
        {own.map((criterion) => (
          <OwnFields
            key={criterion.key}
            criterion={criterion}
            onChanged={(changed) =>
              change({ own: own.map((each) => (each.key === changed.key ? changed : each)) })
            }
            onRemoved={() => change({ own: own.filter(({ key }) => key !== criterion.key) })}
          />
        ))}
      </ul>
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        disabled={kept + own.length >= MOST_CRITERIA}
        onClick={() => change({ own: [...own, { key: next, name: "", description: "" }] })}
      >
        <Plus aria-hidden />
        {t("questions.new.addOwn")}
      </Button>
    </fieldset>
  );
}

export function GoalField({ draft, change }: JudgePartProps) {
  const { t } = useTranslation();
  return (
    <Field label={t("questions.new.goal")} hint={t("questions.new.goalHint")}>
      {(control) => (
        <Textarea
          {...control}
          rows={2}
          maxLength={LONGEST_GOAL}
          value={draft.goal}
          onChange={(event) => change({ goal: event.target.value })}
        />
      )}
    </Field>
  );
}
