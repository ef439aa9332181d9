import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { PromptSummary } from "@/api/types";
import { versionChoicesQuery } from "@/api/version-choices";
import { FormSection } from "@/components/form-section";
import { LoadError } from "@/components/load-error";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { SectionProps } from "./form-props";

const LATEST = "latest";

function VersionField({ slug, draft, onDraftChanged, errors }: SectionProps) {
  const { t } = useTranslation();
  const { promptId, versionId } = draft;
  const versions = useQuery({ ...versionChoicesQuery(slug, promptId), enabled: promptId !== "" });
  const latest = versions.data?.[0]?.label;
  return (
    <div className="grid gap-2">
      <Field required label={t("optimizations.form.version")} error={errors.version_id}>
        {(control) => (
          <Select
            {...control}
            disabled={promptId === ""}
            value={versionId === "" ? LATEST : versionId}
            options={[
              {
                value: LATEST,
                label: t("optimizations.form.latest"),
                ...(latest === undefined ? {} : { description: latest }),
              },
              ...(versions.data ?? []).map(({ id, label, is_production }) => ({
                value: id,
                label,
                ...(is_production ? { description: t("optimizations.form.production") } : {}),
              })),
            ]}
            onValueChanged={(value) => onDraftChanged({ versionId: value === LATEST ? "" : value })}
          />
        )}
      </Field>
      <LoadError queries={[versions]} />
    </div>
  );
}

/** Name, prompt, version and goal. */
export function PromptSection(props: SectionProps & { prompts: readonly PromptSummary[] }) {
  const { prompts, draft, onDraftChanged, errors } = props;
  const { t } = useTranslation();
  return (
    <FormSection
      title={t("optimizations.form.what")}
      description={t("optimizations.form.whatHint")}
    >
      <Field required label={t("fields.name")} error={errors.name}>
        {(control) => (
          <Input
            {...control}
            maxLength={100}
            value={draft.name}
            onChange={(event) => onDraftChanged({ name: event.target.value })}
          />
        )}
      </Field>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field required label={t("optimizations.form.prompt")} error={errors.prompt_id}>
          {(control) => (
            <Select
              {...control}
              value={draft.promptId}
              placeholder={t("schemaForm.choose")}
              options={prompts.map(({ id, name }) => ({ value: id, label: name }))}
              onValueChanged={(promptId) => onDraftChanged({ promptId, versionId: "" })}
            />
          )}
        </Field>
        <VersionField {...props} />
      </div>
      <Field
        label={t("optimizations.form.goal")}
        hint={t("optimizations.form.goalHint")}
        error={errors.goal}
      >
        {(control) => (
          <Textarea
            {...control}
            maxLength={2000}
            value={draft.goal}
            onChange={(event) => onDraftChanged({ goal: event.target.value })}
          />
        )}
      </Field>
    </FormSection>
  );
}
