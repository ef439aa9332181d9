import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn";
import { STEPS, type Step } from "./wizard-step";

export interface StepListProps {
  current: Step;
  /** Number of problems in every visited step. */
  counts: ReadonlyMap<Step, number>;
  onStepWanted: (step: Step) => void;
}

type StepStatus = "done" | "trouble" | "todo";

function stepStatus(count: number | undefined): StepStatus {
  return count === undefined ? "todo" : count === 0 ? "done" : "trouble";
}

const MARKS = {
  done: "border-accent-solid bg-accent-solid text-on-accent",
  trouble: "border-warning bg-warning-bg text-warning",
  todo: "border-border-strong bg-raised text-ink-muted",
} as const;

function Mark({ status, number }: { status: StepStatus; number: number }) {
  return (
    <span
      aria-hidden
      className={cn(
        "flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-semibold tabular-nums",
        MARKS[status],
      )}
    >
      {status === "done" ? <Check className="size-3.5" /> : status === "trouble" ? "!" : number}
    </span>
  );
}

/** Step navigation with the state of each step. */
export function StepList({ current, counts, onStepWanted }: StepListProps) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("wizard.frame.steps")}>
      <ol className="flex items-center gap-1 overflow-x-auto rounded-xl border border-border bg-raised p-1.5">
        {STEPS.map((step, index) => {
          const count = counts.get(step);
          const status = stepStatus(count);
          const isCurrent = step === current;
          const note =
            status === "trouble"
              ? t("wizard.frame.problems", { count: count ?? 0 })
              : isCurrent && status === "todo"
                ? t("wizard.frame.current")
                : t(`wizard.frame.${status}`);
          return (
            <li key={step} className={cn("min-w-0 lg:flex-1", isCurrent && "flex-1")}>
              <button
                type="button"
                aria-current={isCurrent ? "step" : undefined}
                title={`${t(`wizard.steps.${step}.name`)}: ${note}`}
                onClick={() => onStepWanted(step)}
                className={cn(
                  "flex w-full min-w-0 items-center gap-2 rounded-lg px-2 py-1.5 text-left transition-colors",
                  isCurrent ? "bg-accent-bg" : "hover:bg-surface-hover",
                )}
              >
                <Mark status={status} number={index + 1} />
                <span
                  className={cn("min-w-0 lg:block", isCurrent ? "block" : "sr-only lg:not-sr-only")}
                >
                  <span
                    className={cn(
                      "block truncate text-sm font-medium",
                      isCurrent ? "text-on-accent-bg" : "text-ink",
                    )}
                  >
                    {t(`wizard.steps.${step}.name`)}
                  </span>{" "}
                  <span
                    className={cn(
                      "block truncate text-xs",
                      status === "trouble" ? "text-warning" : "text-ink-muted",
                      isCurrent && status !== "trouble" && "text-on-accent-bg",
                    )}
                  >
                    {note}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
