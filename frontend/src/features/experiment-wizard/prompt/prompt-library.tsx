import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { promptChoicesQuery, promptQuery, versionQuery } from "@/api/prompts";
import { versionChoicesQuery } from "@/api/version-choices";
import { LoadError } from "@/components/load-error";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import type { Draft, StepProps } from "../wizard-step";

const DRAFT = "draft";

type Chosen = Pick<Draft["prompt"], "syntax" | "system" | "text" | "few_shots" | "tools">;

/** Text of the chosen version or draft. */
function useChosenText(slug: string, promptId: string, versionId: string | null) {
  const version = useQuery({
    ...versionQuery(slug, promptId, versionId ?? ""),
    enabled: versionId !== null,
  });
  const prompt = useQuery({ ...promptQuery(slug, promptId), enabled: versionId === null });
  const query = versionId === null ? prompt : version;
  const chosen: Chosen | undefined = versionId === null ? prompt.data?.draft : version.data;
  return { query, chosen };
}

function ChosenText({ slug, part, editable, onChanged }: StepProps<"prompt">) {
  const { t } = useTranslation();
  const promptId = part.prompt_id ?? "";
  const { query, chosen } = useChosenText(slug, promptId, part.version_id);
  if (chosen === undefined) {
    return query.isError ? (
      <ProblemState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LoadingStatus>
        <Skeleton className="h-40" />
      </LoadingStatus>
    );
  }
  const { syntax, system, text, few_shots, tools } = chosen;
  return (
    <div className="grid min-w-0 gap-3">
      <pre
        tabIndex={0}
        dir="auto"
        aria-label={t("prompts.editors.text")}
        className="max-h-96 overflow-y-auto rounded-lg border border-border bg-surface p-4 text-xs leading-5 wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
      <div className="flex flex-wrap gap-2">
        {editable ? (
          <Button
            variant="secondary"
            size="sm"
            onClick={() =>
              onChanged({
                ...{ syntax, system, text, few_shots, tools },
                prompt_id: null,
                version_id: null,
              })
            }
          >
            {t("wizard.prompt.editCopy")}
          </Button>
        ) : null}
        <Button asChild variant="ghost" size="sm">
          <Link to="/p/$slug/prompts/$promptId" params={{ slug, promptId }}>
            {t("wizard.prompt.open")}
          </Link>
        </Button>
      </div>
    </div>
  );
}

/** Picker of a library prompt and version. */
export function PromptLibrary(props: StepProps<"prompt">) {
  const { slug, part, errors, editable, onChanged } = props;
  const { t } = useTranslation();
  const prompts = useQuery(promptChoicesQuery(slug));
  const versions = useQuery({
    ...versionChoicesQuery(slug, part.prompt_id ?? ""),
    enabled: part.prompt_id !== null,
  });
  const choices = (prompts.data ?? []).filter(({ kind }) => kind === "generator");
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <LoadError queries={[prompts, versions]} />
      <div className="flex flex-wrap items-start gap-3">
        <Field
          required
          label={t("wizard.prompt.chosen")}
          error={errors.prompt_id}
          className="min-w-56 flex-2"
        >
          {(control) => (
            <Select
              {...control}
              disabled={!editable}
              value={part.prompt_id ?? ""}
              placeholder={t("schemaForm.choose")}
              options={choices.map(({ id, name }) => ({ value: id, label: name }))}
              onValueChanged={(promptId) => onChanged({ prompt_id: promptId, version_id: null })}
            />
          )}
        </Field>
        {part.prompt_id === null ? null : (
          <Field
            required
            label={t("wizard.prompt.version")}
            error={errors.version_id}
            className="min-w-40 flex-1"
          >
            {(control) => (
              <Select
                {...control}
                disabled={!editable}
                value={part.version_id ?? DRAFT}
                options={[
                  {
                    value: DRAFT,
                    label: t("runs.new.draft"),
                    description: t("runs.new.draftHint"),
                  },
                  ...(versions.data ?? []).map(({ id, label, is_production }) => ({
                    value: id,
                    label: is_production ? t("runs.new.production", { label }) : label,
                  })),
                ]}
                onValueChanged={(wanted) =>
                  onChanged({ version_id: wanted === DRAFT ? null : wanted })
                }
              />
            )}
          </Field>
        )}
      </div>
      {part.prompt_id === null ? null : <ChosenText {...props} />}
    </div>
  );
}
