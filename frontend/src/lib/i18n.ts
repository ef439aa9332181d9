import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { texts } from "virtual:texts/initial";
import { language, loadCatalogue, numberFormat } from "./locale";

void i18next.use(initReactI18next).init({
  lng: language,
  fallbackLng: "en",
  resources: { en: { translation: texts } },
  interpolation: { escapeValue: false },
});
// `{{count, number}}` in the catalogue.
i18next.services.formatter?.add("number", (value: number) => numberFormat().format(value));

export const i18n = i18next;

/** Loads the texts of the reader's language. */
export async function loadTexts(): Promise<void> {
  const catalogue = await loadCatalogue();
  if (catalogue !== null) {
    i18n.addResourceBundle(language, "translation", catalogue);
  }
}
