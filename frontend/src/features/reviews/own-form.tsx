import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { PromptVersion } from "@/api/types";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { UnsavedGuard } from "@/components/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { editedOf, isSameEdit, partsBody } from "./edited-parts";
import { ITERATION, ownCheckQuery, ownOptions, pathOf, type IterationPlace } from "./own-queries";
import { CheckProgress, isSavable, SuggestionEditor } from "./suggestion-editor";
import { useCheck } from "./use-check";

const SHORTEST_NOTE = 10;
const LONGEST_NOTE = 2000;

export interface OwnFormProps {
  place: IterationPlace;
  version: PromptVersion;
  onProposed: (suggestionId: string) => void;
}

/** Form for an own edit, which is reviewed like any suggestion. */
export function OwnForm({ place, version, onProposed }: OwnFormProps) {
  const { t } = useTranslation();
  const [before] = useState(() => editedOf(version));
  const [edited, setEdited] = useState(before);
  const [note, setNote] = useState("");
  const [isTried, setTried] = useState(false);
  const check = useCheck(edited, (settled) => ownCheckQuery(place, partsBody(settled)));
  const progress = useId();
  const propose = useChange(
    "post",
    `${ITERATION}/suggestions`,
    pathOf(place),
    ownOptions(place.slug),
  );
  const isNoteMissing = note.trim().length < SHORTEST_NOTE;
  const submit = () => {
    setTried(true);
    if (isSavable(check) && !isNoteMissing) {
      propose.mutate(
        { body: { ...partsBody(edited), note: note.trim() } },
        { onSuccess: (suggestion) => onProposed(suggestion.id) },
      );
    }
  };
  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <UnsavedGuard
        dirty={!isSameEdit(edited, before) && !propose.isPending && !propose.isSuccess}
      />
      <FormAlert message={propose.isError ? problemMessage(propose.error) : null} />
      <SuggestionEditor
        before={before}
        beforeLabel={version.label}
        edited={edited}
        onEdited={setEdited}
        syntax={version.syntax}
        check={check}
      />
      <Field
        required
        label={t("reviews.own.note")}
        hint={t("reviews.own.noteHint")}
        error={isTried && isNoteMissing ? t("reviews.own.noteMissing") : undefined}
      >
        {(control) => (
          <Textarea
            {...control}
            maxLength={LONGEST_NOTE}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <CheckProgress id={progress} check={check} />
        <Button
          type="submit"
          loading={propose.isPending}
          disabled={!isSavable(check)}
          aria-describedby={progress}
        >
          {t("reviews.own.propose")}
        </Button>
      </div>
    </form>
  );
}
