import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Suggestion } from "@/api/types";
import { DialogForm } from "@/components/dialog-form";
import { FormAlert } from "@/components/form-alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { RailList, RailNotice } from "./reasons";

const LONGEST_REASON = 2000;
const SHORTEST_REASON = 3;

interface AskedProps {
  isSending: boolean;
  message: string | null;
  onClosed: () => void;
}

export interface RejectDialogProps extends AskedProps {
  onRejected: (reason: string) => void;
}

/** A rejection requires a reason, which becomes part of the refiner input. */
export function RejectDialog({ isSending, message, onClosed, onRejected }: RejectDialogProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const [isTried, setTried] = useState(false);
  const isMissing = reason.trim().length < SHORTEST_REASON;
  const submit = () => {
    setTried(true);
    if (!isMissing) {
      onRejected(reason.trim());
    }
  };
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      title={t("reviews.reject.title")}
      description={t("reviews.reject.body")}
      closeOnOutside={reason === ""}
    >
      <DialogForm
        submitLabel={t("reviews.reject.action")}
        isSaving={isSending}
        message={message}
        onCancelled={onClosed}
        onSubmitted={submit}
      >
        <Field
          required
          label={t("reviews.reason")}
          error={isTried && isMissing ? t("reviews.reject.missing") : undefined}
        >
          {(control) => (
            <Textarea
              {...control}
              autoFocus
              maxLength={LONGEST_REASON}
              placeholder={t("reviews.reject.placeholder")}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
                  event.preventDefault();
                  submit();
                }
              }}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  );
}

export interface ApproveDialogProps extends AskedProps {
  suggestion: Suggestion;
  onApproved: (reason: string | null) => void;
}

/** Confirms the approval of a change that exceeds guard rails: it cannot be undone. */
export function ApproveDialog(props: ApproveDialogProps) {
  const { suggestion, isSending, message, onClosed, onApproved } = props;
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      title={t("reviews.rail.confirmTitle")}
      description={<RailList violations={suggestion.violations} />}
    >
      <DialogForm
        submitLabel={t("reviews.rail.confirm")}
        isSaving={isSending}
        message={message}
        onCancelled={onClosed}
        onSubmitted={() => onApproved(reason.trim() || null)}
      >
        <Field label={t("reviews.reason")}>
          {(control) => (
            <Textarea
              {...control}
              autoFocus
              maxLength={LONGEST_REASON}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  );
}

export interface BaseChangedDialogProps extends AskedProps {
  slug: string;
  suggestion: Suggestion;
  onBranched: () => void;
  onRejected: () => void;
}

/** The prompt has newer versions than the suggestion's base: explains the options. */
export function BaseChangedDialog(props: BaseChangedDialogProps) {
  const { slug, suggestion, isSending, message, onClosed, onBranched, onRejected } = props;
  const { t } = useTranslation();
  const base = suggestion.base?.label ?? "";
  const latest = suggestion.latest?.label ?? "";
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      title={t("reviews.base.title", { latest })}
      description={t("reviews.base.body", { base, latest })}
    >
      <ul className="grid list-disc gap-2 pl-5 text-sm">
        <li>{t("reviews.base.branchMeans", { base })}</li>
        <li>{t("reviews.base.rejectMeans", { latest })}</li>
        {suggestion.prompt_id === null ? null : (
          <li>
            <Link
              to="/p/$slug/prompts/$promptId"
              params={{ slug, promptId: suggestion.prompt_id }}
              className="rounded-sm text-accent-ink underline underline-offset-2"
            >
              {t("reviews.base.look", { base, latest })}
            </Link>
          </li>
        )}
      </ul>
      {suggestion.violations.length === 0 ? null : (
        <RailNotice violations={suggestion.violations} />
      )}
      <FormAlert message={message} />
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("ui.cancel")}
        </Button>
        <Button variant="secondary" onClick={onRejected}>
          {t("reviews.base.reject")}
        </Button>
        <Button loading={isSending} onClick={onBranched}>
          {t("reviews.base.branch", { base })}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
