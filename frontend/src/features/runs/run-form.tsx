import { useQuery } from "@tanstack/react-query";
import { datasetsQuery } from "@/api/datasets";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { comparerKindsQuery, savedScorersQuery, scorerKindsQuery } from "@/api/scorers";
import { SchemaForm } from "@/components/schema-form/schema-form";
import { errorsBelow, type FieldErrors } from "@/components/schema-form/validate";
import { ScorerFields } from "@/components/scorer-fields/scorer-fields";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { FormSkeleton } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";
import { CaseFields } from "./case-fields";
import { promptChoicesQuery } from "@/api/prompts";
import { LoadError } from "@/components/load-error";
import { ComparerFields } from "./comparer-fields";
import { FallbackField, ModelFields } from "@/components/run-fields/model-fields";
import { ParameterFields } from "./parameter-fields";
import { PromptFields } from "./prompt-fields";
import { type RunDraft } from "./run-draft";

interface SectionProps {
  title: string;
  description: string;
  children: ReactNode;
}

function Section({ title, description, children }: SectionProps) {
  return (
    <Card>
      <CardHeader title={title} description={description} />
      <CardContent className="grid gap-5">{children}</CardContent>
    </Card>
  );
}

export interface RunFormProps {
  slug: string;
  draft: RunDraft;
  onDraftChanged: (part: Partial<RunDraft>) => void;
  errors: FieldErrors;
}

function Options({ draft, onDraftChanged, errors }: RunFormProps) {
  const { t } = useTranslation();
  return (
    <Section title={t("runs.new.optionsTitle")} description={t("runs.new.optionsHint")}>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label={t("fields.name")} hint={t("runs.new.nameHint")} error={errors.name}>
          {(control) => (
            <Input
              {...control}
              maxLength={200}
              value={draft.name}
              onChange={(event) => onDraftChanged({ name: event.target.value })}
            />
          )}
        </Field>
        <SchemaForm
          schema={{
            type: "object",
            required: ["repeats"],
            properties: {
              repeats: {
                type: "integer",
                minimum: 1,
                maximum: 20,
                title: t("runs.new.repeats"),
                description: t("runs.new.repeatsHint"),
              },
            },
          }}
          value={{ repeats: draft.repeats }}
          errors={errors.repeats === undefined ? {} : { repeats: errors.repeats }}
          onValueChanged={({ repeats }) => onDraftChanged({ repeats: repeats as number | null })}
        />
      </div>
      <Switch
        label={t("runs.new.bypass")}
        description={t("runs.new.bypassHint")}
        checked={draft.isCacheBypassed}
        onCheckedChanged={(isCacheBypassed) => onDraftChanged({ isCacheBypassed })}
      />
      <Switch
        label={t("runs.new.redact")}
        description={t("runs.new.redactHint")}
        checked={draft.isRedacted}
        onCheckedChanged={(isRedacted) => onDraftChanged({ isRedacted })}
      />
      <Switch
        label={t("runs.new.failedCountZero")}
        description={t("runs.new.failedCountZeroHint")}
        checked={draft.failedCountZero}
        onCheckedChanged={(failedCountZero) => onDraftChanged({ failedCountZero })}
      />
    </Section>
  );
}

/** All fields of a new run. */
export function RunForm({ slug, draft, onDraftChanged, errors }: RunFormProps) {
  const { t } = useTranslation();
  const prompts = useQuery(promptChoicesQuery(slug));
  const models = useQuery(modelsQuery(slug));
  const datasets = useQuery(datasetsQuery(slug));
  const kinds = useQuery(scorerKindsQuery(slug));
  const saved = useQuery(savedScorersQuery(slug));
  const comparers = useQuery(comparerKindsQuery(slug));
  const failures = <LoadError queries={[prompts, models, datasets, kinds, saved, comparers]} />;
  if (prompts.data === undefined || models.data === undefined || datasets.data === undefined) {
    return prompts.isError || models.isError || datasets.isError ? (
      failures
    ) : (
      <FormSkeleton fields={5} />
    );
  }
  const generators = prompts.data.filter((prompt) => prompt.kind === "generator");
  const chosen = draft.prompts.map(({ promptId }) => promptId);
  const variables = new Set(
    generators.filter(({ id }) => chosen.includes(id)).flatMap((prompt) => prompt.variables),
  );
  return (
    <div className="grid content-start gap-6">
      {failures}
      <Section title={t("runs.new.promptsTitle")} description={t("runs.new.promptsHint")}>
        <PromptFields
          slug={slug}
          prompts={generators}
          chosen={draft.prompts}
          onChosenChanged={(next) => onDraftChanged({ prompts: next })}
          errors={errors}
        />
      </Section>
      <Section title={t("runs.new.modelsTitle")} description={t("runs.new.modelsHint")}>
        <ModelFields
          slug={slug}
          models={models.data}
          chosen={draft.modelIds}
          onChosenChanged={(modelIds) => onDraftChanged({ modelIds })}
          errors={errors}
        />
        <ParameterFields
          sets={draft.parameterSets}
          onSetsChanged={(parameterSets) => onDraftChanged({ parameterSets })}
          errors={errorsBelow(errors, "parameters")}
        />
        <FallbackField
          models={models.data}
          chosen={draft.fallbackModelId}
          onChosenChanged={(fallbackModelId) => onDraftChanged({ fallbackModelId })}
          error={errors.fallback_model_id}
        />
      </Section>
      <Section title={t("runs.new.casesTitle")} description={t("runs.new.casesHint")}>
        <CaseFields
          slug={slug}
          datasets={datasets.data.filter((dataset) => dataset.case_count > 0)}
          variables={[...variables]}
          draft={draft}
          onDraftChanged={onDraftChanged}
          errors={errors}
        />
      </Section>
      <Section title={t("runs.new.scorersTitle")} description={t("runs.new.scorersHint")}>
        <ScorerFields
          slug={slug}
          kinds={kinds.data ?? []}
          saved={saved.data ?? []}
          chosen={draft.scorers}
          onChosenChanged={(scorers) => onDraftChanged({ scorers })}
          errors={errors}
        />
      </Section>
      <Section title={t("runs.new.comparersTitle")} description={t("runs.new.comparersHint")}>
        <ComparerFields
          slug={slug}
          kinds={comparers.data ?? []}
          chosen={draft.comparers}
          onChosenChanged={(next) => onDraftChanged({ comparers: next })}
          errors={errors}
        />
      </Section>
      <Options slug={slug} draft={draft} onDraftChanged={onDraftChanged} errors={errors} />
    </div>
  );
}
