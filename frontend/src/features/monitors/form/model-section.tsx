import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { FormSection } from "@/components/form-section";
import { ModelRows } from "@/components/run-fields/model-rows";
import type { SectionProps } from "./form-props";

const MOST_MODELS = 8;

export interface ModelSectionProps extends SectionProps {
  models: readonly Model[];
}

/** Models with their parameters. */
export function ModelSection({ slug, models, draft, onDraftChanged, errors }: ModelSectionProps) {
  const { t } = useTranslation();
  return (
    <FormSection title={t("monitors.form.models")} description={t("monitors.form.modelsHint")}>
      <ModelRows
        slug={slug}
        models={models}
        chosen={draft.models}
        most={MOST_MODELS}
        errors={errors}
        onChosenChanged={(chosen) => onDraftChanged({ models: chosen })}
      />
    </FormSection>
  );
}
