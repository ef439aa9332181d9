import { useTranslation } from "react-i18next";
import type { FormWords } from "./case-form-state";

export function useFormWords(): FormWords {
  const { t } = useTranslation();
  return {
    nameMissing: t("datasets.form.nameMissing"),
    nameTwice: t("datasets.form.nameTwice"),
    badJson: (problem) => t("datasets.cell.badJson", { problem }),
  };
}
