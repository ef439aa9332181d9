import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EditableParts, Suggestion } from "@/api/types";
import { UnsavedGuard } from "@/components/unsaved-guard";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { editedOf, isSameEdit, partsBody } from "./edited-parts";
import { checkQuery } from "./queries";
import { RailList } from "./reasons";
import { CheckProgress, isSavable, SuggestionEditor } from "./suggestion-editor";
import { useCheck } from "./use-check";

export interface EditPanelProps {
  slug: string;
  suggestion: Suggestion;
  before: EditableParts;
  after: EditableParts;
  isSending: boolean;
  onCancelled: () => void;
  onApproved: (edit: { parts: EditableParts; reason: string | null }) => void;
}

/** Approves a suggestion with edits. */
export function EditPanel(props: EditPanelProps) {
  const { slug, suggestion, isSending } = props;
  const { t } = useTranslation();
  const [before] = useState(() => editedOf(props.before));
  const [suggested] = useState(() => editedOf(props.after));
  const [edited, setEdited] = useState(suggested);
  const [reason, setReason] = useState("");
  const [isConfirming, setConfirming] = useState(false);
  const check = useCheck(edited, (settled) => checkQuery(slug, suggestion.id, partsBody(settled)));
  const progress = useId();
  const violations = check.data?.violations ?? [];
  const approve = () =>
    props.onApproved({ parts: partsBody(edited), reason: reason.trim() || null });
  return (
    <div className="grid grid-cols-1 gap-4">
      <UnsavedGuard dirty={!isSameEdit(edited, suggested) && !isSending} />
      <SuggestionEditor
        autoFocus
        before={before}
        beforeLabel={suggestion.base?.label ?? ""}
        edited={edited}
        onEdited={setEdited}
        start={suggestion.changes[0]?.part ?? "text"}
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
