import { Check, ListPlus, PencilLine, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";

export interface DecisionBarProps {
  canEdit: boolean;
  isSending: boolean;
  onApproved: () => void;
  onEdited: () => void;
  onRejected: () => void;
  onCounterexample: () => void;
}

/** Where a decision is made. It stays in view however long the change is. */
export function DecisionBar(props: DecisionBarProps) {
  const { t } = useTranslation();
  return (
    <section
      aria-label={t("reviews.decide")}
      className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-2 border-t border-border bg-raised px-4 py-3 shadow-lg sm:mx-0 sm:rounded-t-xl sm:border-x"
    >
      <Button variant="ghost" onClick={props.onCounterexample}>
        <ListPlus aria-hidden />
        {t("reviews.counterexample.action")}
      </Button>
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <Button
          variant="secondary"
          aria-keyshortcuts=","
          disabled={props.isSending}
          onClick={props.onRejected}
        >
          <X aria-hidden />
          {t("reviews.reject.action")}
          <span aria-hidden>
            <span aria-hidden>
              <Kbd keys="." />
            </span>
          </span>
        </Button>
        {props.canEdit ? (
          <Button
            variant="secondary"
            aria-keyshortcuts="e"
            disabled={props.isSending}
            onClick={props.onEdited}
          >
            <PencilLine aria-hidden />
            {t("reviews.edit.action")}
            <span aria-hidden>
              <span aria-hidden>
                <Kbd keys="." />
              </span>
            </span>
          </Button>
        ) : null}
        <Button aria-keyshortcuts="." loading={props.isSending} onClick={props.onApproved}>
          <Check aria-hidden />
          {t("reviews.approve")}
          <span aria-hidden>
            <Kbd keys="." />
          </span>
        </Button>
      </span>
    </section>
  );
}
