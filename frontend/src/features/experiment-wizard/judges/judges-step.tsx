import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { FormSkeleton } from "@/components/ui/skeleton";
import { AssistPanel } from "../assist-panel";
import { ModelOptions } from "../models/model-options";
import { StepBody, StepSection } from "../step-section";
import type { Draft, StepProps } from "../wizard-step";
import { JudgeList } from "./judge-list";
import { JudgeTestDialog } from "./judge-test-dialog";
import { PairwiseFields } from "./pairwise-fields";
import { SafetyFields } from "./safety-fields";
import { SavedScorers } from "./saved-scorers";

/** Why the judges cannot be tried yet. */
function useNotTestableReason({ judges, rubric }: Draft): string | null {
  const { t } = useTranslation();
  if (judges.judges.length === 0) {
    return t("wizard.judges.test.noJudges");
  }
  const hasRubric = rubric.rubric_version_id !== null || rubric.criteria.length > 0;
  return hasRubric ? null : t("wizard.judges.test.noRubric");
}

function TestButton({ slug, draft }: Pick<StepProps<"judges">, "slug" | "draft">) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const reason = useNotTestableReason(draft);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        disabled={reason !== null}
        title={reason ?? undefined}
        onClick={() => setOpen(true)}
      >
        <FlaskConical aria-hidden />
        {t("wizard.judges.test.open")}
      </Button>
      {isOpen ? (
        <JudgeTestDialog slug={slug} draft={draft} onClosed={() => setOpen(false)} />
      ) : null}
    </>
  );
}

/** Step: judges, comparisons and checks. */
export function JudgesStep(props: StepProps<"judges">) {
  const { slug, draft, part, editable } = props;
  const { t } = useTranslation();
  const models = useQuery(modelsQuery(slug));
  if (models.isPending) {
    return <FormSkeleton fields={4} />;
  }
  if (models.isError) {
    return <ProblemState error={models.error} onRetry={() => void models.refetch()} />;
  }
  return (
    <StepBody editable={editable}>
      <AssistPanel<"judges">
        step="judges"
        {...props}
        actions={[{ action: "recommend", label: t("wizard.judges.recommend") }]}
        extra={<TestButton slug={slug} draft={draft} />}
      >
        {(found, apply) => (
          <ModelOptions
            options={found.models}
            none={t("wizard.judges.nothingAdvised")}
            applyLabel={t(
              part.judges.length === 0 ? "wizard.judges.use" : "wizard.judges.useInstead",
            )}
            onApplied={(judges) => apply({ judges })}
          />
        )}
      </AssistPanel>
      <StepSection title={t("wizard.judges.title")} description={t("wizard.judges.hint")}>
        <JudgeList {...props} models={models.data} />
      </StepSection>
      <PairwiseFields {...props} models={models.data} />
      <SavedScorers {...props} />
      <SafetyFields {...props} models={models.data} />
    </StepBody>
  );
}
