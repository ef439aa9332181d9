import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { LoadError } from "@/components/load-error";
import { AssistPanel } from "../assist-panel";
import { StepBody } from "../step-section";
import type { StepProps } from "../wizard-step";
import { BudgetFields, RefinerFields, SavingFields, StopFields } from "./limits-fields";
import { StrategyFields } from "./strategy-fields";
import { SuggestedLimits } from "./suggested-limits";

/** Step: stopping rules, budget and refiner. */
export function LimitsStep(props: StepProps<"limits">) {
  const { slug, draft, editable } = props;
  const { t } = useTranslation();
  const models = useQuery(modelsQuery(slug));
  return (
    <StepBody editable={editable}>
      <AssistPanel<"limits">
        step="limits"
        {...props}
        actions={[{ action: "suggest", label: t("wizard.limits.suggest") }]}
      >
        {(found, apply) => <SuggestedLimits found={found} part={props.part} onApplied={apply} />}
      </AssistPanel>
      <StopFields {...props} />
      <BudgetFields {...props} />
      <LoadError queries={[models]} />
      <StrategyFields {...props} models={models.data ?? []} />
      <RefinerFields {...props} models={models.data ?? []} firstJudge={draft.judges.judges[0]} />
      <SavingFields {...props} />
    </StepBody>
  );
}
