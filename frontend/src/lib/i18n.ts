import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { texts } from "virtual:texts/initial";

void i18next.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  resources: { en: { translation: texts } },
  interpolation: { escapeValue: false },
});

export const i18n = i18next;
