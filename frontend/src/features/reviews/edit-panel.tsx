import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Suggestion } from "@/api/types";
import { UnsavedGuard } from "@/components/unsaved-guard";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { checkQuery } from "./queries";
import { RailList } from "./reasons";
import { CheckProgress, isSavable, SuggestionEditor } from "./suggestion-editor";
import { useCheck } from "./use-check";

export interface EditPanelProps {
  slug: string;
  suggestion: Suggestion;
  before: string;
  isSending: boolean;
  onCancelled: () => void;
  onApproved: (edit: { text: string; reason: string | null }) => void;
}

/** Approves a suggestion with edits. */
export function EditPanel(props: EditPanelProps) {
  const { slug, suggestion, before, isSending } = props;
  const { t } = useTranslation();
  const [text, setText] = useState(suggestion.text);
  const [reason, setReason] = useState("");
  const [isConfirming, setConfirming] = useState(false);
  const check = useCheck(text, (settled) => checkQuery(slug, suggestion.id, settled));
  const progress = useId();
  const violations = check.data?.violations ?? [];
  const approve = () => props.onApproved({ text, reason: reason.trim() || null });
  return (
    <div className="grid gap-4">
      <UnsavedGuard dirty={text !== suggestion.text && !isSending} />
      <SuggestionEditor
        autoFocus
        before={before}
        beforeLabel={suggestion.base?.label ?? ""}
        text={text}
        onTextChanged={setText}
        syntax={suggestion.syntax}
        check={check}
      />
      <Field label={t("reviews.reason")} hint={t("reviews.edit.reasonHint")}>
        {(control) => (
          <Input
            {...control}
            maxLength={2000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <CheckProgress id={progress} check={check} />
        <Button variant="ghost" onClick={props.onCancelled}>
          {t("ui.cancel")}
        </Button>
        <Button
          loading={isSending}
          disabled={!isSavable(check)}
          aria-describedby={progress}
          onClick={() => (violations.length > 0 ? setConfirming(true) : approve())}
        >
          {t("reviews.edit.approve")}
        </Button>
      </div>
      <ConfirmDialog
        open={isConfirming}
        onOpenChanged={setConfirming}
        tone="primary"
        title={t("reviews.rail.confirmTitle")}
        description={<RailList violations={violations} />}
        confirmLabel={t("reviews.rail.confirm")}
        onConfirmed={() => {
          setConfirming(false);
          approve();
        }}
      />
    </div>
  );
}
