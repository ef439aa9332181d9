import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Project, Suggestion, SuggestionExemplar } from "@/api/types";
import { TextBox } from "@/components/cell/text-block";
import { Alert } from "@/components/ui/alert";
import { UnsavedGuard } from "@/components/unsaved-guard";
import { can } from "@/lib/permissions";
import { useShortcuts, type Bindings } from "@/lib/shortcuts";
import { Comments } from "./comments";
import { CounterexampleDialog } from "./counterexample-dialog";
import { DecidedCard, useNext } from "./decided-card";
import { DecisionBar } from "./decision-bar";
import { ApproveDialog, BaseChangedDialog, RejectDialog } from "./decision-dialogs";
import { EditPanel } from "./edit-panel";
import { Exemplars } from "./exemplars";
import { RailNotice, Reasons } from "./reasons";
import { TextDiff } from "./text-diff";
import { TrialCard } from "./trial-card";
import { useDecision, type Decision } from "./use-decision";
import { useUndoable } from "./use-undoable";

export interface ReviewWorkProps {
  project: Project;
  suggestion: Suggestion;
  onSuggestionOpened: (suggestionId: string) => void;
  onIterationOpened: (iterationId: string) => void;
}

function Change({ suggestion }: { suggestion: Suggestion }) {
  const { t } = useTranslation();
  if (suggestion.before === null) {
    return (
      <div className="grid gap-2">
        <Alert tone="info" live={false}>
          {t("reviews.diff.baseGone")}
        </Alert>
        <TextBox>{suggestion.diff}</TextBox>
      </div>
    );
  }
  const shared = {
    beforeLabel: suggestion.base?.label ?? "",
    afterLabel: t("reviews.diff.suggested"),
    syntax: suggestion.syntax,
  };
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      {suggestion.changes.map((each) => (
        <TextDiff
          key={each.part}
          {...shared}
          title={t(`reviews.parts.${each.part}`)}
          before={each.before}
          after={each.after}
          diff={each.diff}
        />
      ))}
    </div>
  );
}

/** Notice that the prompt has newer versions than the suggestion's base. */
function BaseNotice({ suggestion }: { suggestion: Suggestion }) {
  const { t } = useTranslation();
  if (suggestion.state !== "pending" || suggestion.base?.id === suggestion.latest?.id) {
    return null;
  }
  const [base, latest] = [suggestion.base?.label ?? "", suggestion.latest?.label ?? ""];
  if (suggestion.is_base_latest) {
    return (
      <Alert tone="info" live={false}>
        {t("reviews.base.leads", { base, latest })}
      </Alert>
    );
  }
  return (
    <Alert tone="warning" live={false} title={t("reviews.base.title", { latest })}>
      {t("reviews.base.body", { base, latest })}
    </Alert>
  );
}

interface DialogsProps {
  slug: string;
  suggestion: Suggestion;
  decision: Decision;
}

function Dialogs({ slug, suggestion, decision }: DialogsProps) {
  const asking = {
    isSending: decision.isSending,
    message: decision.message,
    onClosed: () => decision.ask(null),
  };
  switch (decision.asked) {
    case "reject":
      return (
        <RejectDialog
          {...asking}
          onRejected={(reason) => decision.decide({ kind: "reject", reason })}
        />
      );
    case "rails":
      return (
        <ApproveDialog
          {...asking}
          suggestion={suggestion}
          onApproved={(reason) => decision.decide({ kind: "approve", reason, mayBranch: false })}
        />
      );
    case "base":
      return (
        <BaseChangedDialog
          {...asking}
          slug={slug}
          suggestion={suggestion}
          onBranched={decision.branch}
          onRejected={() => decision.ask("reject")}
        />
      );
    default:
      return null;
  }
}

/** Reads and decides a suggestion. Fully usable by keyboard. */
export function ReviewWork(props: ReviewWorkProps) {
  const { project, suggestion } = props;
  const { slug } = project;
  const [isEditing, setEditing] = useState(false);
  const [at, setAt] = useState(0);
  const [like, setLike] = useState<SuggestionExemplar | "blank" | null>(null);
  const comment = useRef<HTMLTextAreaElement>(null);
  const decision = useDecision(slug, suggestion, props.onIterationOpened);
  const next = useNext(slug, suggestion);
  const isOpen = suggestion.state === "pending";
  const canAct = can(project.role, "reviews.decide") && project.archived_at === null;
  const canDecide = isOpen && canAct;
  const count = suggestion.exemplars.length;

  const send = () => decision.decide({ kind: "approve", reason: null, mayBranch: false });
  const approval = useUndoable(send);
  const approve = (now: () => void) => {
    if (decision.isSending) {
      return;
    }
    if (!suggestion.is_base_latest) {
      decision.ask("base");
    } else if (suggestion.violations.length > 0) {
      decision.ask("rails");
    } else {
      now();
    }
  };
  const move = (step: number) => setAt((at + step + count) % Math.max(1, count));
  const deciding: Bindings = {
    // A key is pressed by mistake more easily than a button, and an approval spends money.
    ".": () => approve(approval.start),
    ...(approval.isWaiting
      ? { u: approval.undo }
      : {
          ",": () => decision.ask("reject"),
          e: () => setEditing(suggestion.before !== null),
        }),
  };
  useShortcuts({
    ...(canDecide && !isEditing ? deciding : {}),
    ...(canAct ? { c: () => comment.current?.focus() } : {}),
    ...(count > 0 ? { j: () => move(1), k: () => move(-1) } : {}),
    ...(next === undefined ? {} : { n: () => props.onSuggestionOpened(next.id) }),
  });

  return (
    <div className="grid grid-cols-1 gap-6">
      {isOpen ? null : (
        <DecidedCard slug={slug} suggestion={suggestion} next={next} outcome={decision.outcome} />
      )}
      <BaseNotice suggestion={suggestion} />
      <Reasons suggestion={suggestion} />
      {isEditing && canDecide && suggestion.before !== null && suggestion.after !== null ? (
        <EditPanel
          slug={slug}
          suggestion={suggestion}
          before={suggestion.before}
          after={suggestion.after}
          isSending={decision.isSending}
          onCancelled={() => setEditing(false)}
          onApproved={(edit) => decision.decide({ kind: "edit", ...edit, mayBranch: false })}
        />
      ) : (
        <>
          <RailNotice violations={suggestion.violations} />
          <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
            <Change suggestion={suggestion} />
            <TrialCard slug={slug} suggestion={suggestion} />
          </div>
        </>
      )}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <Exemplars
          exemplars={suggestion.exemplars}
          at={at}
          onMoved={setAt}
          onCopied={canAct && suggestion.dataset_id !== null ? setLike : undefined}
        />
        <Comments slug={slug} suggestionId={suggestion.id} canComment={canAct} field={comment} />
      </div>
      {canDecide && !isEditing ? (
        <DecisionBar
          canEdit={suggestion.before !== null}
          isSending={decision.isSending}
          onUndone={approval.isWaiting ? approval.undo : null}
          onApproved={() => approve(send)}
          onEdited={() => setEditing(true)}
          onRejected={() => decision.ask("reject")}
          onCounterexample={suggestion.dataset_id === null ? undefined : () => setLike("blank")}
        />
      ) : null}
      <UnsavedGuard dirty={false} closing={approval.isWaiting} />
      <Dialogs slug={slug} suggestion={suggestion} decision={decision} />
      {like === null ? null : (
        <CounterexampleDialog
          slug={slug}
          suggestion={suggestion}
          like={like === "blank" ? null : like}
          onClosed={() => setLike(null)}
        />
      )}
    </div>
  );
}
