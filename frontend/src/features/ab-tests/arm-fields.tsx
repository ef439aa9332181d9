import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { LoadError } from "@/components/load-error";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { ArmDraft } from "./ab-test-draft";
import { modelChoicesQuery, promptChoicesQuery, versionChoicesQuery } from "./queries";

export interface ArmFieldsProps {
  slug: string;
  title: string;
  arm: ArmDraft;
  onChanged: (arm: ArmDraft) => void;
}

/** Prompt, version and model of one arm. */
export function ArmFields({ slug, title, arm, onChanged }: ArmFieldsProps) {
  const { t } = useTranslation();
  const prompts = useQuery(promptChoicesQuery(slug));
  const versions = useQuery(versionChoicesQuery(slug, arm.promptId));
  const models = useQuery(modelChoicesQuery(slug));
  const placeholder = t("abTests.form.choose");
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{title}</legend>
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label={t("abTests.form.prompt")} required>
          {(control) => (
            <Select
              {...control}
              placeholder={placeholder}
              value={arm.promptId}
              onValueChanged={(promptId) => onChanged({ ...arm, promptId, versionId: "" })}
              options={(prompts.data?.items ?? []).map(({ id, name }) => ({
                value: id,
                label: name,
              }))}
            />
          )}
        </Field>
        <Field label={t("abTests.form.version")} required>
          {(control) => (
            <Select
              {...control}
              placeholder={placeholder}
              disabled={arm.promptId === ""}
              value={arm.versionId}
              onValueChanged={(versionId) => onChanged({ ...arm, versionId })}
              options={(versions.data?.items ?? []).map(({ id, label }) => ({ value: id, label }))}
            />
          )}
        </Field>
        <Field label={t("abTests.form.model")} required>
          {(control) => (
            <Select
              {...control}
              placeholder={placeholder}
              value={arm.modelId}
              onValueChanged={(modelId) => onChanged({ ...arm, modelId })}
              options={(models.data?.items ?? []).map(({ id, display_name: label }) => ({
                value: id,
                label,
              }))}
            />
          )}
        </Field>
      </div>
      <LoadError queries={[prompts, versions, models]} />
    </fieldset>
  );
}
