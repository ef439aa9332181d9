import { Pencil } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { Prompt } from "@/api/types";
import { Button } from "@/components/ui/button";
import { FieldError } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { useChange } from "@/api/use-change";

export interface InlineNameProps {
  slug: string;
  prompt: Prompt;
  editable: boolean;
}

function NameForm({
  slug,
  prompt,
  onClosed,
}: Omit<InlineNameProps, "editable"> & { onClosed: () => void }) {
  const { t } = useTranslation();
  const rename = useChange("patch", "/projects/{project}/prompts/{prompt_id}", {
    project: slug,
    prompt_id: prompt.id,
  });
  const [name, setName] = useState(prompt.name);
  const problem = rename.isError ? asProblem(rename.error) : null;
  const save = () => {
    const wanted = name.trim();
    if (wanted === prompt.name || wanted === "") {
      onClosed();
    } else if (!rename.isPending) {
      rename.mutate(
        { body: { name: wanted } },
        {
          onSuccess: () => {
            toast.success(t("prompts.rename.done", { name: wanted }));
            onClosed();
          },
        },
      );
    }
  };
  return (
    <form
      className="grid max-w-xl min-w-0 flex-1 basis-72 gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Input
        autoFocus
        aria-label={t("prompts.rename.label")}
        aria-describedby="prompt-name-hint"
        aria-invalid={problem === null ? undefined : true}
        value={name}
        autoComplete="off"
        className="h-9 text-base font-semibold"
        onChange={(event) => setName(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            onClosed();
          }
        }}
      />
      <p id="prompt-name-hint" className="text-xs text-ink-muted">
        {prompt.latest === null ? t("prompts.rename.keys") : t("prompts.rename.keysAndHint")}
      </p>
      {problem === null ? null : (
        <FieldError>{problem.fields[0]?.message ?? problemMessage(problem)}</FieldError>
      )}
    </form>
  );
}

/** Editable heading: Enter saves, Escape cancels. */
export function InlineName({ slug, prompt, editable }: InlineNameProps) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  if (editing && editable) {
    return <NameForm slug={slug} prompt={prompt} onClosed={() => setEditing(false)} />;
  }
  return (
    <div className="flex min-w-0 items-center gap-1">
      <h1
        title={prompt.name}
        className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere"
      >
        {editable ? (
          <button
            type="button"
            className="cursor-text rounded-sm text-left"
            onClick={() => setEditing(true)}
          >
            {prompt.name}
          </button>
        ) : (
          prompt.name
        )}
      </h1>
      {editable ? (
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          aria-label={t("prompts.rename.action")}
          onClick={() => setEditing(true)}
        >
          <Pencil aria-hidden />
        </Button>
      ) : null}
    </div>
  );
}
