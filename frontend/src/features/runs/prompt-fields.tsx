import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PromptSummary } from "@/api/types";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Button } from "@/components/ui/button";
import { Field, FieldError } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { versionChoicesQuery } from "@/api/version-choices";
import { LoadError } from "@/components/load-error";
import type { PromptChoice } from "./run-draft";

const DRAFT = "draft";

interface RowProps {
  slug: string;
  index: number;
  choice: PromptChoice;
  prompts: readonly PromptSummary[];
  error: string | undefined;
  onChanged: (choice: PromptChoice) => void;
  onRemoved: () => void;
}

function PromptRow({ slug, index, choice, prompts, error, onChanged, onRemoved }: RowProps) {
  const { t } = useTranslation();
  const versions = useQuery({
    ...versionChoicesQuery(slug, choice.promptId),
    enabled: choice.promptId !== "",
  });
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-end gap-3">
        <Field
          required
          label={t("runs.new.prompt", { number: index + 1 })}
          className="min-w-48 flex-2"
        >
          {(control) => (
            <Select
              {...control}
              aria-invalid={error === undefined ? undefined : true}
              value={choice.promptId}
              placeholder={t("schemaForm.choose")}
              options={prompts.map(({ id, name }) => ({ value: id, label: name }))}
              onValueChanged={(promptId) => onChanged({ promptId, versionId: null })}
            />
          )}
        </Field>
        <Field required label={t("runs.new.version")} className="min-w-40 flex-1">
          {(control) => (
            <Select
              {...control}
              value={choice.versionId ?? DRAFT}
              options={[
                { value: DRAFT, label: t("runs.new.draft"), description: t("runs.new.draftHint") },
                ...(versions.data ?? []).map((version) => ({
                  value: version.id,
                  label: version.is_production
                    ? t("runs.new.production", { label: version.label })
                    : version.label,
                })),
              ]}
              onValueChanged={(versionId) =>
                onChanged({ ...choice, versionId: versionId === DRAFT ? null : versionId })
              }
            />
          )}
        </Field>
        <Button
          variant="ghost"
          iconOnly
          aria-label={t("runs.new.removePrompt", { number: index + 1 })}
          onClick={onRemoved}
        >
          <Trash2 aria-hidden />
        </Button>
      </div>
      <LoadError queries={[versions]} />
      {error === undefined ? null : <FieldError>{error}</FieldError>}
    </div>
  );
}

export interface PromptFieldsProps {
  slug: string;
  prompts: readonly PromptSummary[];
  chosen: readonly PromptChoice[];
  onChosenChanged: (chosen: readonly PromptChoice[]) => void;
  errors: FieldErrors;
}

/** Prompt picker with versions. */
export function PromptFields(props: PromptFieldsProps) {
  const { slug, prompts, chosen, onChosenChanged, errors } = props;
  const { t } = useTranslation();
  const rows = chosen.length === 0 ? [{ promptId: "", versionId: null }] : chosen;
  return (
    <div className="grid gap-4">
      {rows.map((choice, index) => (
        <PromptRow
          key={index}
          slug={slug}
          index={index}
          choice={choice}
          prompts={prompts}
          error={errors[`prompts.${index}`]}
          onChanged={(changed) =>
            onChosenChanged(rows.map((old, at) => (at === index ? changed : old)))
          }
          onRemoved={() => onChosenChanged(rows.filter((_, at) => at !== index))}
        />
      ))}
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        onClick={() => onChosenChanged([...rows, { promptId: "", versionId: null }])}
      >
        <Plus aria-hidden />
        {t("runs.new.addPrompt")}
      </Button>
    </div>
  );
}
