import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import type { Suggestion, SuggestionExemplar } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { inputText } from "@/components/grid/case-header";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { SUGGESTION } from "./queries";

export interface CounterexampleDialogProps {
  slug: string;
  suggestion: Suggestion;
  /** Answer whose case is the starting point of the new one. */
  like: SuggestionExemplar | null;
  onClosed: () => void;
}

/** Variables of the prompt; the inputs of an example when it has none. */
function namesOf(suggestion: Suggestion): string[] {
  if (suggestion.variables.length > 0) {
    return suggestion.variables;
  }
  return Object.keys(suggestion.exemplars[0]?.inputs ?? { input: "" });
}

/** Adds a case that the change would get wrong, for the next iterations. */
export function CounterexampleDialog(props: CounterexampleDialogProps) {
  const { slug, suggestion, like, onClosed } = props;
  const { t } = useTranslation();
  const names = namesOf(suggestion);
  const [inputs, setInputs] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      names.map((name) => [name, like === null ? "" : inputText(like.inputs[name] ?? "")]),
    ),
  );
  const [expected, setExpected] = useState(like?.expected ?? "");
  const add = useChange(
    "post",
    `${SUGGESTION}/cases`,
    { project: slug, suggestion_id: suggestion.id },
    { refresh: [keys.datasets(slug), keys.audit(slug)] },
  );
  const isEmpty = names.every((name) => (inputs[name] ?? "").trim() === "");
  const submit = () =>
    add.mutate(
      { body: { case: { inputs, expected: expected.trim() || null, tags: ["counterexample"] } } },
      {
        onSuccess: ({ case_id }) => {
          onClosed();
          if (case_id === null) {
            toast.info(t("reviews.counterexample.known"));
          } else {
            toast.success(t("reviews.counterexample.added"));
          }
        },
      },
    );
  return (
    <Dialog
      open
      width="lg"
      onOpenChanged={onClosed}
      closeOnOutside={isEmpty}
      title={t("reviews.counterexample.title")}
      description={t("reviews.counterexample.body")}
    >
      <DialogForm
        submitLabel={t("reviews.counterexample.add")}
        isSaving={add.isPending}
        disabled={isEmpty}
        message={add.isError ? problemMessage(add.error) : null}
        onCancelled={onClosed}
        onSubmitted={submit}
      >
        {names.map((name, index) => (
          <Field key={name} required label={name}>
            {(control) => (
              <Textarea
                {...control}
                autoFocus={index === 0}
                value={inputs[name] ?? ""}
                onChange={(event) => setInputs({ ...inputs, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <Field label={t("reviews.counterexample.expected")}>
          {(control) => (
            <Textarea
              {...control}
              value={expected}
              onChange={(event) => setExpected(event.target.value)}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  );
}
