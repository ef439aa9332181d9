import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { FormSection } from "@/components/form-section";
import { ModelRows } from "@/components/run-fields/model-rows";
import type { SectionProps } from "./form-props";

const MOST_MODELS = 4;

/** Models that may turn out to be as good as the one in use. */
export function CheaperModelSection(props: SectionProps & { models: readonly Model[] }) {
  const { slug, models, draft, errors, onDraftChanged } = props;
  const { t } = useTranslation();
  return (
    <FormSection
      title={t("optimizations.form.cheaper")}
      description={t("optimizations.form.cheaperHint")}
    >
      <ModelRows
        slug={slug}
        models={models}
        chosen={draft.cheaperModels}
        most={MOST_MODELS}
        errors={errors}
        field="cheaper_models"
        isOptional
        words={{
          model: (number) => t("optimizations.form.cheaperModel", { number }),
          remove: (number) => t("optimizations.form.removeCheaper", { number }),
          add: t("optimizations.form.addCheaper"),
        }}
        onChosenChanged={(cheaperModels) => onDraftChanged({ cheaperModels })}
      />
    </FormSection>
  );
}
