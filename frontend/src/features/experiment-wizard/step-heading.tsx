import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { StepProblem } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { STEPS, type Step } from "./wizard-step";

export interface StepHeadingProps {
  step: Step;
  /** Problems shown for the step. */
  problems: readonly StepProblem[];
}

/** Heading of a step with all its problems. Takes the focus when the step opens. */
export function StepHeading({ step, problems }: StepHeadingProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) {
      shown.current = step;
      heading.current?.focus();
    }
  }, [step]);
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <p className="text-xs font-medium text-ink-muted">
          {t("wizard.frame.stepOf", { number: STEPS.indexOf(step) + 1, count: STEPS.length })}
        </p>
        <h2
          ref={heading}
          tabIndex={-1}
          className="scroll-mt-24 text-lg font-semibold tracking-tight focus:outline-none"
        >
          {t(`wizard.steps.${step}.title`)}
        </h2>
        <p className="max-w-2xl text-sm text-pretty text-ink-muted">
          {t(`wizard.steps.${step}.description`)}
        </p>
      </div>
      {problems.length === 0 ? null : (
        <Alert tone="warning" title={t("wizard.frame.toMend", { count: problems.length })}>
          <ul className="grid list-disc gap-0.5 pl-4">
            {problems.map(({ field, code, message }) => (
              <li key={`${field} ${code} ${message}`}>{message}</li>
            ))}
          </ul>
        </Alert>
      )}
    </div>
  );
}
