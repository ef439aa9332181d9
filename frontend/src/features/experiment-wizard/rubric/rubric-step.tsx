import { useTranslation } from "react-i18next";
import type { CriterionDraft } from "@/components/criteria/criteria";
import { CriteriaFields } from "@/components/criteria/criteria-fields";
import { AssistPanel } from "../assist-panel";
import { useForm, type FormRules } from "../use-form";
import type { Draft, StepProps } from "../wizard-step";
import { DraftedCriteria } from "./drafted-criteria";
import { RubricSource } from "./rubric-source";

const RULES: FormRules<Draft["rubric"], readonly CriterionDraft[]> = {
  read: ({ criteria }) => criteria.map((one) => ({ ...one, key: crypto.randomUUID() })),
  write: (form) => ({
    criteria: form.map(({ name, description, weight, scale }) => ({
      name,
      description,
      weight: weight ?? 0,
      scale,
    })),
  }),
};

/** Step: criteria of the judges. */
export function RubricStep(props: StepProps<"rubric">) {
  const { part, draft, errors, editable, onChanged } = props;
  const { t } = useTranslation();
  const [criteria, change] = useForm(part, RULES, onChanged);
  const isSaved = part.rubric_version_id !== null;
  const blockedBy = draft.objective.goal.trim() === "" ? t("wizard.rubric.objectiveFirst") : null;
  return (
    <div className="grid gap-6">
      <RubricSource {...props} />
      {isSaved ? null : (
        <AssistPanel
          {...props}
          step="rubric"
          actions={[{ action: "draft", label: t("wizard.rubric.draft"), blockedBy }]}
        >
          {(found, apply) => (
            <DraftedCriteria
              criteria={found.criteria}
              onTaken={() => apply({ criteria: found.criteria })}
            />
          )}
        </AssistPanel>
      )}
      {criteria.length === 0 ? (
        <p className="rounded-xl border border-dashed border-border-strong p-6 text-center text-sm text-ink-muted">
          {t("wizard.rubric.none")}
        </p>
      ) : null}
      <CriteriaFields
        criteria={criteria}
        errors={errors}
        disabled={!editable || isSaved}
        sumHint={t("wizard.rubric.sumHint")}
        onChanged={change}
      />
    </div>
  );
}
