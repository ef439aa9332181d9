import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { problemMessage } from "@/api/problem-message";
import type { ExperimentEstimate } from "@/api/types";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { EstimateFigures } from "./estimate-figures";
import { STEPS, type Draft, type Step } from "./wizard-step";

export interface EstimatePanelProps {
  slug: string;
  /** Undefined until the first one has loaded. */
  estimate: ExperimentEstimate | undefined;
  /** False while a newer one is loading. */
  isCurrent: boolean;
  error: unknown;
  draft: Draft;
  onRetry: () => void;
  onStepWanted?: (step: Step) => void;
}

interface OpenStepsProps {
  estimate: ExperimentEstimate;
  onStepWanted: ((step: Step) => void) | undefined;
}

/** Steps with problems or stand-ins: what is assumed for each, or else how many problems it has. */
function OpenSteps({ estimate, onStepWanted }: OpenStepsProps) {
  const { t } = useTranslation();
  const { problems, stand_ins: standIns } = estimate;
  const open = new Set([...problems, ...standIns].map(({ step }) => step));
  if (open.size === 0) {
    return null;
  }
  const describe = (step: Step) =>
    standIns.find((each) => each.step === step)?.message ??
    t("wizard.estimate.problems", { count: problems.filter((each) => each.step === step).length });
  return (
    <section className="grid gap-2 text-sm">
      <h3 className="text-xs font-semibold text-ink-muted">
        {t(standIns.length === 0 ? "wizard.estimate.missing" : "wizard.estimate.assumed")}
      </h3>
      <ul className="grid gap-2">
        {STEPS.filter((step) => open.has(step)).map((step) => (
          <li key={step} className="grid justify-items-start">
            {onStepWanted === undefined ? (
              <span>{t(`wizard.steps.${step}.name`)}</span>
            ) : (
              <button
                type="button"
                className="rounded-sm font-medium text-accent-ink hover:underline"
                onClick={() => onStepWanted(step)}
              >
                {t(`wizard.steps.${step}.name`)}
              </button>
            )}
            <span className="text-xs text-ink-muted">{describe(step)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether all models of the draft are simulated. */
function useIsSimulated(slug: string, draft: Draft): boolean {
  const models = useQuery(modelsQuery(slug)).data ?? [];
  const named = [...draft.models.models.map(({ model_id }) => model_id), ...draft.judges.judges];
  return (
    named.length > 0 &&
    named.every((id) => models.find((model) => model.id === id)?.is_simulated === true)
  );
}

function Contents(props: EstimatePanelProps) {
  const { estimate, isCurrent, error, draft, onRetry, onStepWanted } = props;
  const { t } = useTranslation();
  if (error !== null && error !== undefined) {
    return (
      <div className="grid justify-items-start gap-3 text-sm text-ink-muted">
        <p>{problemMessage(error)}</p>
        <Button variant="secondary" size="sm" onClick={onRetry}>
          {t("ui.retry")}
        </Button>
      </div>
    );
  }
  if (estimate === undefined) {
    return (
      <LoadingStatus className="grid gap-2">
        <Skeleton />
        <Skeleton className="w-2/3" />
        <Skeleton className="w-5/6" />
      </LoadingStatus>
    );
  }
  const { iteration } = estimate;
  const shown = new Set(estimate.stand_ins.map(({ message }) => message));
  const assumptions = estimate.assumptions.filter((sentence) => !shown.has(sentence));
  return (
    <div
      aria-busy={!isCurrent}
      className={isCurrent ? "grid gap-4" : "grid gap-4 opacity-60 transition-opacity delay-300"}
    >
      {iteration === null ? null : (
        <EstimateFigures
          estimate={estimate}
          iteration={iteration}
          budget={draft.limits.budget_usd}
        />
      )}
      <OpenSteps estimate={estimate} onStepWanted={onStepWanted} />
      {assumptions.length === 0 ? null : (
        <Disclosure label={t("wizard.estimate.assumptions")}>
          <ul className="grid list-disc gap-1 pl-4 text-xs text-ink-muted">
            {assumptions.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  );
}

/** Live estimate of the experiment. */
export function EstimatePanel(props: EstimatePanelProps) {
  const { t } = useTranslation();
  const isSimulated = useIsSimulated(props.slug, props.draft);
  return (
    <Card aria-labelledby="experiment-estimate" className="grid gap-4 p-5">
      <h2
        id="experiment-estimate"
        className="flex flex-wrap items-center gap-2 text-sm font-semibold"
      >
        {t("wizard.estimate.title")}
        {isSimulated ? <SimulatedBadge /> : null}
      </h2>
      <Contents {...props} />
    </Card>
  );
}
