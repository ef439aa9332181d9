import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { ProblemState } from "@/components/problem-state";
import { FormSkeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format";
import { AssistPanel } from "../assist-panel";
import { StepBody, StepSection } from "../step-section";
import type { StepProps } from "../wizard-step";
import { GridFields } from "./grid-fields";
import { countCombinations, MOST_CONFIGURATIONS } from "./grid-values";
import { withModels } from "./model-choices";
import { ModelList } from "./model-list";
import { ModelOptions } from "./model-options";

/** "2 models × 3 combinations = 6 ways of answering", with a warning above the maximum. */
function Count({ part }: Pick<StepProps<"models">, "part">) {
  const { t } = useTranslation();
  const combinations = countCombinations(part.grid);
  const configurations = part.models.length * combinations;
  const isTooMany = configurations > MOST_CONFIGURATIONS;
  return (
    <p role="status" className={cn("text-sm", isTooMany ? "text-danger" : "text-ink-muted")}>
      {t("wizard.models.count", {
        models: t("wizard.models.chosen", { count: part.models.length }),
        combinations: t("wizard.models.combinations", { count: combinations }),
        configurations: formatNumber(configurations),
        most: MOST_CONFIGURATIONS,
      })}
      {isTooMany ? ` ${t("wizard.models.tooMany", { most: MOST_CONFIGURATIONS })}` : null}
    </p>
  );
}

/** Step: answering models, parameters and repeats. */
export function ModelsStep(props: StepProps<"models">) {
  const { slug, part, editable } = props;
  const { t } = useTranslation();
  const models = useQuery(modelsQuery(slug));
  if (models.isPending) {
    return <FormSkeleton fields={4} />;
  }
  if (models.isError) {
    return <ProblemState error={models.error} onRetry={() => void models.refetch()} />;
  }
  const chosenIds = part.models.map(({ model_id }) => model_id);
  return (
    <StepBody editable={editable}>
      <AssistPanel<"models">
        step="models"
        {...props}
        actions={[
          { action: "recommend", label: t("wizard.models.recommend") },
          {
            action: "prune",
            label: t("wizard.models.prune"),
            blockedBy: part.models.length === 0 ? t("wizard.models.pruneNothing") : null,
          },
        ]}
      >
        {(found, apply, action) =>
          action === "prune" ? (
            <ModelOptions
              options={found.models}
              none={t("wizard.models.nothingCostly")}
              applyLabel={t("wizard.models.leaveOut")}
              onApplied={(ids) =>
                apply({ models: part.models.filter(({ model_id }) => !ids.includes(model_id)) })
              }
            />
          ) : (
            <ModelOptions
              options={found.models}
              none={t("wizard.models.nothingAdvised")}
              applyLabel={t(
                chosenIds.length === 0 ? "wizard.models.use" : "wizard.models.useInstead",
              )}
              onApplied={(ids) => apply({ models: withModels(part.models, ids) })}
            />
          )
        }
      </AssistPanel>
      <StepSection title={t("wizard.models.title")} description={t("wizard.models.hint")}>
        <ModelList {...props} models={models.data} />
        <Count part={part} />
      </StepSection>
      <GridFields {...props} />
    </StepBody>
  );
}
