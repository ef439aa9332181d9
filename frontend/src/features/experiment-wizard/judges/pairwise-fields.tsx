import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Field } from "@/components/ui/field";
import { ModelSelect } from "@/components/model-chooser/model-select";
import { Switch } from "@/components/ui/switch";
import { countCombinations } from "../models/grid-values";
import { StepSection } from "../step-section";
import type { StepProps } from "../wizard-step";

export interface PairwiseFieldsProps extends StepProps<"judges"> {
  models: readonly Model[];
}

/** Settings of pairwise comparisons. */
export function PairwiseFields(props: PairwiseFieldsProps) {
  const { models, part, draft, errors, onChanged } = props;
  const { t } = useTranslation();
  const chosen = part.pairwise_judge;
  const configurations = draft.models.models.length * countCombinations(draft.models.grid);
  return (
    <StepSection title={t("wizard.judges.pairwiseTitle")}>
      <Switch
        label={t("wizard.judges.pairwise")}
        description={t("wizard.judges.pairwiseHint")}
        checked={part.is_pairwise}
        onCheckedChanged={(is_pairwise) =>
          onChanged({
            is_pairwise,
            pairwise_judge: is_pairwise ? (chosen ?? part.judges[0] ?? null) : chosen,
          })
        }
      />
      {part.is_pairwise ? (
        <>
          {configurations > 1 ? null : (
            <Alert tone="info" live={false}>
              {t("wizard.judges.pairwiseAlone")}
            </Alert>
          )}
          <Field
            required
            label={t("wizard.judges.pairwiseJudge")}
            hint={t("wizard.judges.pairwiseOrder")}
            error={errors.pairwise_judge}
          >
            {(control) => (
              <ModelSelect
                {...control}
                models={models}
                chosen={chosen ?? null}
                placeholder={t("wizard.judges.choose")}
                onChosen={(pairwise_judge) => onChanged({ pairwise_judge })}
              />
            )}
          </Field>
        </>
      ) : null}
    </StepSection>
  );
}
