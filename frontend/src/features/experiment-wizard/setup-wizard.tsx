import { ArrowLeft, ArrowRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Experiment, Model } from "@/api/types";
import { Button } from "@/components/ui/button";
import { UnsavedGuard } from "@/components/unsaved-guard";
import { cn } from "@/lib/cn";
import { can } from "@/lib/permissions";
import { useShortcuts } from "@/lib/shortcuts";
import { ConfirmDialog } from "./confirm-dialog";
import { ConflictDialog } from "./conflict-dialog";
import { EstimatePanel } from "./estimate-panel";
import { withModels } from "./models/model-choices";
import { ModelsNotice } from "./models-notice";
import { StepHeading } from "./step-heading";
import { StepList } from "./step-list";
import { useWizard, type Wizard } from "./use-wizard";
import { problemsOf } from "./wizard-draft";
import { NameField } from "./wizard-name";
import { WizardHeader } from "./wizard-header";
import { STEPS, type Step } from "./wizard-step";
import { WizardSteps } from "./wizard-steps";
import type { SetupPageProps } from "./wizard-view";

export interface SetupWizardProps extends SetupPageProps {
  experiment: Experiment;
}

function countsOf({ passed, problems, estimate }: Wizard): ReadonlyMap<Step, number> {
  return new Map(
    estimate.data === undefined
      ? []
      : STEPS.filter((step) => passed.has(step)).map((step) => [
          step,
          problemsOf(problems, step).length,
        ]),
  );
}

/** Assigns the project's first models to empty roles: the stronger one judges. */
function assignModels({ draft, change }: Wizard, models: readonly Model[]) {
  const ids = models.map(({ id }) => id);
  if (draft.models.models.length === 0) {
    change("models", { models: withModels([], ids.slice(0, 1)) });
  }
  if (draft.judges.judges.length === 0) {
    change("judges", { judges: ids.slice(-1) });
  }
}

/** Navigation between steps, and completion. */
function useStepNavigation(
  { experiment, onStepChanged }: SetupWizardProps,
  wizard: Wizard,
  step: Step,
) {
  const [isConfirming, setConfirming] = useState(false);
  const go = (next: Step) => {
    wizard.pass(step);
    wizard.visit(next);
    onStepChanged(next);
  };
  const finish = () => {
    wizard.pass(...STEPS);
    const first = wizard.problems[0];
    if (first !== undefined && wizard.isCurrent) {
      go(first.step);
    } else {
      void wizard.saver.flush().then(() => {
        setConfirming(wizard.saver.getState().phase === "idle");
      });
    }
  };
  return {
    go,
    finish,
    isConfirming: isConfirming && experiment.is_editable,
    endConfirming: () => setConfirming(false),
    /** The first click shows problems, the second one continues anyway. */
    goOn: (next: Step) => {
      if (problemsOf(wizard.problems, step).length > 0 && !wizard.passed.has(step)) {
        wizard.pass(step);
      } else {
        go(next);
      }
    },
  };
}

interface FooterProps {
  step: Step;
  isTroubled: boolean;
  /** No step has a problem, so the rest may be skipped. */
  isComplete: boolean;
  editable: boolean;
  onStepWanted: (step: Step) => void;
  onGoneOn: (step: Step) => void;
  onFinished: () => void;
  isConfirmed: boolean;
}

function Footer(props: FooterProps) {
  const { step, isTroubled, isComplete, editable, isConfirmed } = props;
  const { t } = useTranslation();
  const index = STEPS.indexOf(step);
  const [previous, next] = [STEPS[index - 1], STEPS[index + 1]];
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-border pt-5">
      {previous === undefined ? (
        <span />
      ) : (
        <Button variant="ghost" onClick={() => props.onStepWanted(previous)}>
          <ArrowLeft aria-hidden />
          {t("wizard.frame.back")}
        </Button>
      )}
      <div className="flex flex-wrap gap-2">
        {editable && (next === undefined || isComplete) ? (
          <Button variant={next === undefined ? "primary" : "secondary"} onClick={props.onFinished}>
            {t(isConfirmed ? "wizard.frame.confirmAgain" : "wizard.frame.confirm")}
          </Button>
        ) : null}
        {next === undefined ? null : (
          <Button onClick={() => props.onGoneOn(next)}>
            {isTroubled ? t("wizard.frame.continueAnyway") : t("wizard.frame.continue")}
            <ArrowRight aria-hidden />
          </Button>
        )}
      </div>
    </div>
  );
}

export function SetupWizard(props: SetupWizardProps) {
  const { project, experiment, onCreated, onStarted } = props;
  const { slug } = project;
  const wizard = useWizard(slug, experiment);
  const [isConflictPutOff, putOffConflict] = useState(false);
  const step = props.step ?? wizard.state.mine.step;
  const mayEdit = can(project.role, "experiments.edit") && project.archived_at === null;
  const editable = mayEdit && experiment.archived_at === null && experiment.is_editable;
  const quiet = { ...wizard, visit: editable ? wizard.visit : () => undefined };
  const moves = useStepNavigation(props, quiet, step);
  const { state, saver } = wizard;
  const counts = countsOf(wizard);
  const problems = wizard.passed.has(step) ? problemsOf(wizard.problems, step) : [];
  // Cost and calls depend on the models, so they are shown from that step on.
  const hasEstimate = STEPS.indexOf(step) >= STEPS.indexOf("models");
  const isStuck = ["offline", "conflict", "failed"].includes(state.phase);
  useShortcuts({ "mod+s": () => void saver.flush() });
  return (
    <div className="grid min-w-0 grid-cols-1 gap-6">
      <WizardHeader
        project={project}
        experiment={experiment}
        wizard={wizard}
        mayEdit={mayEdit}
        editable={editable}
        hasNameField={step === "objective"}
        onConflictOpened={() => putOffConflict(false)}
      />
      {editable ? (
        <ModelsNotice project={project} onModelsAdded={(models) => assignModels(wizard, models)} />
      ) : null}
      <StepList current={step} counts={counts} onStepWanted={moves.go} />
      <div
        className={cn(
          "grid min-w-0 items-start gap-6",
          hasEstimate && "xl:grid-cols-[minmax(0,1fr)_19rem]",
        )}
      >
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <StepHeading step={step} problems={problems} />
          {step === "objective" && editable ? (
            <NameField name={state.mine.name} onRenamed={wizard.rename} />
          ) : null}
          <WizardSteps
            slug={slug}
            experimentId={experiment.id}
            wizard={wizard}
            current={step}
            editable={editable}
          />
          <Footer
            step={step}
            isTroubled={problems.length > 0}
            isComplete={wizard.estimate.data !== undefined && wizard.problems.length === 0}
            editable={editable}
            isConfirmed={experiment.state !== "draft"}
            onStepWanted={moves.go}
            onGoneOn={moves.goOn}
            onFinished={moves.finish}
          />
        </div>
        {hasEstimate ? (
          <div className="min-w-0 xl:sticky xl:top-20">
            <EstimatePanel
              slug={slug}
              estimate={wizard.estimate.data}
              isCurrent={wizard.isCurrent}
              error={wizard.estimate.error}
              draft={wizard.draft}
              onRetry={() => void wizard.estimate.refetch()}
              onStepWanted={moves.go}
            />
          </div>
        ) : null}
      </div>
      {moves.isConfirming ? (
        <ConfirmDialog
          slug={slug}
          experiment={experiment}
          draft={wizard.draft}
          estimate={wizard.estimate.data}
          onClosed={moves.endConfirming}
          onCreated={onCreated}
          onStarted={onStarted}
          onStepWanted={(wanted) => {
            moves.endConfirming();
            moves.go(wanted);
          }}
        />
      ) : null}
      {state.phase === "conflict" && state.theirs !== null && !isConflictPutOff ? (
        <ConflictDialog
          mine={state.mine}
          theirs={state.theirs}
          onResolved={(content) => void saver.resolve(content)}
          onClosed={() => putOffConflict(true)}
        />
      ) : null}
      <UnsavedGuard dirty={isStuck && wizard.isDirty} closing={wizard.isDirty} />
    </div>
  );
}
