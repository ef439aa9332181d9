import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { promptChoicesQuery } from "@/api/prompts";
import { savedScorersQuery, scorerKindsQuery } from "@/api/scorers";
import { LoadError } from "@/components/load-error";
import { NumberField } from "@/components/number-field";
import { ScorerFields } from "@/components/scorer-fields/scorer-fields";
import { Field } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { ModelChooser } from "../model-chooser";
import type { StartDraft } from "./start-draft";

const MOST_REPEATS = 20;

export interface PartProps {
  slug: string;
  draft: StartDraft;
  change: (part: Partial<StartDraft>) => void;
}

export function ModelSection({ slug, draft, change }: PartProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{t("arena.start.models")}</legend>
      <ModelChooser
        slug={slug}
        chosen={draft.modelIds}
        onChosenChanged={(modelIds) => change({ modelIds })}
      />
    </fieldset>
  );
}

interface AskingProps extends PartProps {
  /** Variables of the dataset. */
  variables: readonly string[];
  /** The one that is asked. */
  variable: string;
  loading: UseQueryResult;
}

function VariableField({ draft, change, variables, variable, loading }: AskingProps) {
  const { t } = useTranslation();
  if (variables.length < 2) {
    return (
      <>
        <LoadError queries={[loading]} />
        {draft.datasetId === "" || variable === "" ? null : (
          <p className="text-xs text-ink-muted">{t("arena.start.asIsHint", { variable })}</p>
        )}
      </>
    );
  }
  return (
    <Field
      required
      label={t("arena.start.variable")}
      hint={t("arena.start.asIsHint", { variable })}
    >
      {(control) => (
        <Select
          {...control}
          value={variable}
          options={variables.map((name) => ({ value: name, label: name }))}
          onValueChanged={(next) => change({ variable: next })}
        />
      )}
    </Field>
  );
}

function PromptField({ slug, draft, change }: PartProps) {
  const { t } = useTranslation();
  const prompts = useQuery(promptChoicesQuery(slug));
  return (
    <Field required label={t("arena.start.prompt")}>
      {(control) => (
        <>
          <Select
            {...control}
            value={draft.promptId}
            placeholder={t("schemaForm.choose")}
            options={(prompts.data ?? [])
              .filter(({ kind }) => kind === "generator")
              .map(({ id, name }) => ({ value: id, label: name }))}
            onValueChanged={(promptId) => change({ promptId })}
          />
          <LoadError queries={[prompts]} />
        </>
      )}
    </Field>
  );
}

/** Whether questions are asked as they are, or through a prompt. */
export function AskingFields(props: AskingProps) {
  const { draft, change } = props;
  const { t } = useTranslation();
  return (
    <div className="grid gap-3">
      <div className="grid justify-items-start gap-1.5">
        <span className="text-sm font-medium">{t("arena.start.asking")}</span>
        <Segmented
          label={t("arena.start.asking")}
          value={draft.asking}
          options={(["as_is", "prompt"] as const).map((value) => ({
            value,
            label: t(`arena.start.askings.${value}`),
          }))}
          onValueChanged={(asking) => change({ asking })}
        />
      </div>
      {draft.asking === "as_is" ? <VariableField {...props} /> : <PromptField {...props} />}
    </div>
  );
}

export function ScorerSection({ slug, draft, change }: PartProps) {
  const { t } = useTranslation();
  const kinds = useQuery(scorerKindsQuery(slug));
  const saved = useQuery(savedScorersQuery(slug));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{t("arena.start.scorers")}</legend>
      {draft.scorers.length > 0 ? null : (
        <p className="text-xs text-ink-muted">{t("arena.start.noScorers")}</p>
      )}
      <LoadError queries={[kinds, saved]} />
      <ScorerFields
        slug={slug}
        kinds={kinds.data ?? []}
        saved={saved.data ?? []}
        chosen={draft.scorers}
        errors={{}}
        onChosenChanged={(scorers) => change({ scorers })}
      />
    </fieldset>
  );
}

export function RepeatField({ draft, change }: PartProps) {
  const { t } = useTranslation();
  return (
    <NumberField
      label={t("runs.new.repeats")}
      hint={t("runs.new.repeatsHint")}
      value={draft.repeats}
      least={1}
      most={MOST_REPEATS}
      isWhole
      onValueChanged={(repeats) => change({ repeats })}
    />
  );
}
