import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { versionChoicesQuery } from "@/api/version-choices";
import type { PromptSummary } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { SectionProps } from "./form-props";
import { FormSection } from "@/components/form-section";

const PRODUCTION = "production";

export interface WhatSectionProps extends SectionProps {
  prompts: readonly PromptSummary[];
}

function VersionField({ slug, draft, onDraftChanged, errors }: SectionProps) {
  const { t } = useTranslation();
  const { promptId, versionId } = draft;
  const versions = useQuery({
    ...versionChoicesQuery(slug, promptId ?? ""),
    enabled: promptId !== null,
  });
  const production = versions.data?.find(({ is_production }) => is_production);
  return (
    <div className="grid gap-2">
      <Field
        required
        label={t("monitors.form.version")}
        hint={t("monitors.form.versionHint")}
        error={errors.version_id}
      >
        {(control) => (
          <Select
            {...control}
            disabled={promptId === null}
            value={versionId ?? PRODUCTION}
            options={[
              {
                value: PRODUCTION,
                label: t("monitors.form.production"),
                description:
                  production === undefined
                    ? t("monitors.form.noProduction")
                    : t("monitors.form.productionNow", { label: production.label }),
              },
              ...(versions.data ?? []).map(({ id, label }) => ({ value: id, label })),
            ]}
            onValueChanged={(value) =>
              onDraftChanged({ versionId: value === PRODUCTION ? null : value })
            }
          />
        )}
      </Field>
      <LoadError queries={[versions]} />
    </div>
  );
}

/** Name, prompt and version. */
export function WhatSection(props: WhatSectionProps) {
  const { prompts, draft, onDraftChanged, errors } = props;
  const { t } = useTranslation();
  return (
    <FormSection title={t("monitors.form.what")} description={t("monitors.form.whatHint")}>
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
        <Field required label={t("monitors.form.prompt")} error={errors.prompt_id}>
          {(control) => (
            <Select
              {...control}
              value={draft.promptId ?? ""}
              placeholder={t("schemaForm.choose")}
              options={prompts.map(({ id, name }) => ({ value: id, label: name }))}
              onValueChanged={(promptId) => onDraftChanged({ promptId, versionId: null })}
            />
          )}
        </Field>
        <VersionField {...props} />
      </div>
    </FormSection>
  );
}
