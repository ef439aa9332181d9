import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { DialogForm } from "@/components/dialog-form";
import { CodeEditor } from "@/components/editor/code-editor";
import { ProblemState } from "@/components/problem-state";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormSkeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import { useOwnSuggestion, versionQuery, type IterationPlace } from "./queries";

const SHORTEST_NOTE = 10;
const LONGEST_NOTE = 2000;

interface OwnEditProps {
  place: IterationPlace;
  promptId: string;
  versionId: string;
  onClosed: () => void;
  onSuggested: (suggestionId: string) => void;
}

interface FormProps extends OwnEditProps {
  base: { text: string; syntax: "double" | "single" };
}

function OwnEditForm({ place, base, onClosed, onSuggested }: FormProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(base.text);
  const [note, setNote] = useState("");
  const suggest = useOwnSuggestion(place);
  const language = useMemo(
    () => ({ kind: "template", syntax: base.syntax }) as const,
    [base.syntax],
  );
  const isReady = text !== base.text && note.trim().length >= SHORTEST_NOTE;
  return (
    <DialogForm
      submitLabel={t("iterations.own.submit")}
      isSaving={suggest.isPending}
      disabled={!isReady}
      message={suggest.isError ? problemMessage(suggest.error) : null}
      onCancelled={onClosed}
      onSubmitted={() =>
        suggest.mutate(
          { text, note: note.trim() },
          { onSuccess: (suggestion) => onSuggested(suggestion.id) },
        )
      }
    >
      <CodeEditor
        className="h-80"
        label={t("iterations.own.text")}
        language={language}
        value={text}
        onChanged={setText}
      />
      <Field label={t("iterations.own.note")} hint={t("iterations.own.noteHint")} required>
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            maxLength={LONGEST_NOTE}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
    </DialogForm>
  );
}

/** An edit of one's own, to be decided about like any other. */
export function OwnEditDialog(props: OwnEditProps) {
  const { t } = useTranslation();
  const { place, promptId, versionId, onClosed } = props;
  const version = useQuery(versionQuery(place.slug, promptId, versionId));
  return (
    <Dialog
      open
      width="xl"
      closeOnOutside={false}
      closeOnEscape={false}
      onOpenChanged={onClosed}
      title={t("iterations.own.title")}
      description={t("iterations.own.hint")}
    >
      {version.isPending ? <FormSkeleton fields={2} /> : null}
      {version.isError ? (
        <ProblemState error={version.error} onRetry={() => void version.refetch()} />
      ) : null}
      {version.data === undefined ? null : <OwnEditForm {...props} base={version.data} />}
    </Dialog>
  );
}
