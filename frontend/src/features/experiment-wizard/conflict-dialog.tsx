import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DiffView } from "@/components/diff-view";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Disclosure } from "@/components/ui/disclosure";
import { Segmented } from "@/components/ui/segmented";
import { differingSteps, mergedDraft, RULES, type Content, type SavedDraft } from "./wizard-draft";
import type { Draft, Step } from "./wizard-step";

export interface ConflictDialogProps {
  mine: Content;
  theirs: SavedDraft;
  onResolved: (content: Content) => void;
  onClosed: () => void;
}

interface StepChoiceProps {
  step: Step;
  mine: Draft;
  theirs: Draft;
  isTheirs: boolean;
  onChosen: (isTheirs: boolean) => void;
}

function StepChoice({ step, mine, theirs, isTheirs, onChosen }: StepChoiceProps) {
  const { t } = useTranslation();
  const name = t(`wizard.steps.${step}.name`);
  return (
    <section aria-label={name} className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-sm font-semibold">{name}</h3>
        <Segmented
          label={t("wizard.conflict.choice", { step: name })}
          value={isTheirs ? "theirs" : "mine"}
          options={[
            { value: "theirs", label: t("wizard.conflict.takeTheirs") },
            { value: "mine", label: t("wizard.conflict.keepMine") },
          ]}
          onValueChanged={(choice) => onChosen(choice === "theirs")}
        />
      </div>
      <Disclosure label={t("wizard.conflict.differences")}>
        <DiffView
          caption={t("wizard.conflict.caption", { step: name })}
          before={{ ...theirs[step] }}
          after={{ ...mine[step] }}
          labels={{ before: t("wizard.conflict.theirs"), after: t("wizard.conflict.mine") }}
        />
      </Disclosure>
    </section>
  );
}

/** Conflict with another user's save: choose a version step by step. */
export function ConflictDialog({ mine, theirs, onResolved, onClosed }: ConflictDialogProps) {
  const { t } = useTranslation();
  const other = RULES.contentOf(theirs);
  const [taken, setTaken] = useState<ReadonlySet<Step>>(new Set());
  const steps = differingSteps(mine.draft, other.draft);
  const choose = (step: Step, isTheirs: boolean) => {
    const next = new Set(taken);
    next[isTheirs ? "add" : "delete"](step);
    setTaken(next);
  };
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("wizard.conflict.title")}
      description={t("wizard.conflict.body")}
    >
      {steps.length === 0 ? (
        <p className="text-sm text-ink-muted">{t("wizard.conflict.same")}</p>
      ) : null}
      {steps.map((step) => (
        <StepChoice
          key={step}
          step={step}
          mine={mine.draft}
          theirs={other.draft}
          isTheirs={taken.has(step)}
          onChosen={(isTheirs) => choose(step, isTheirs)}
        />
      ))}
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("wizard.conflict.later")}
        </Button>
        <Button variant="secondary" onClick={() => onResolved({ ...other, step: mine.step })}>
          {t("wizard.conflict.allTheirs")}
        </Button>
        <Button
          onClick={() =>
            onResolved({ ...mine, draft: mergedDraft(mine.draft, other.draft, taken) })
          }
        >
          {t("wizard.conflict.save")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
