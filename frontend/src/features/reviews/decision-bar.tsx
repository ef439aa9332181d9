import { Check, ListPlus, PencilLine, Undo2, X, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";

const BAR =
  "sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-2 border-t border-border bg-raised px-4 py-3 shadow-lg sm:mx-0 sm:rounded-t-xl sm:border-x";

interface DecisionButtonProps {
  Icon: LucideIcon;
  label: string;
  shortcut: string;
  isSending: boolean;
  isMain?: boolean;
  onChosen: () => void;
}

/** Decision button with its keyboard shortcut. */
function DecisionButton({
  Icon,
  label,
  shortcut,
  isSending,
  isMain = false,
  onChosen,
}: DecisionButtonProps) {
  return (
    <Button
      variant={isMain ? "primary" : "secondary"}
      aria-keyshortcuts={shortcut}
      disabled={isSending}
      loading={isMain && isSending}
      onClick={onChosen}
    >
      <Icon aria-hidden />
      {label}
      <span aria-hidden className="inline-flex">
        <Kbd keys={shortcut} />
      </span>
    </Button>
  );
}

export interface DecisionBarProps {
  /** False when the base version was deleted. */
  canEdit: boolean;
  isSending: boolean;
  /** Null unless an approval waits to be sent. */
  onUndone: (() => void) | null;
  onApproved: () => void;
  onEdited: () => void;
  onRejected: () => void;
  /** Undefined without a dataset to add a case to. */
  onCounterexample: (() => void) | undefined;
}

/** Decision buttons; stay in view however long the change is. */
export function DecisionBar(props: DecisionBarProps) {
  const { canEdit, isSending, onUndone } = props;
  const { t } = useTranslation();
  if (onUndone !== null) {
    return (
      <section aria-label={t("reviews.decide")} className={BAR}>
        <p role="status" className="text-sm">
          {t("reviews.undo.waiting")}
        </p>
        <span className="ml-auto">
          <DecisionButton
            Icon={Undo2}
            label={t("reviews.undo.action")}
            shortcut="u"
            isSending={isSending}
            onChosen={onUndone}
          />
        </span>
      </section>
    );
  }
  return (
    <section aria-label={t("reviews.decide")} className={BAR}>
      {props.onCounterexample === undefined ? null : (
        <Button variant="ghost" onClick={props.onCounterexample}>
          <ListPlus aria-hidden />
          {t("reviews.counterexample.action")}
        </Button>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <DecisionButton
          Icon={X}
          label={t("reviews.reject.action")}
          shortcut=","
          isSending={isSending}
          onChosen={props.onRejected}
        />
        {canEdit ? (
          <DecisionButton
            Icon={PencilLine}
            label={t("reviews.edit.action")}
            shortcut="e"
            isSending={isSending}
            onChosen={props.onEdited}
          />
        ) : null}
        <DecisionButton
          isMain
          Icon={Check}
          label={t("reviews.approve")}
          shortcut="."
          isSending={isSending}
          onChosen={props.onApproved}
        />
      </span>
    </section>
  );
}
