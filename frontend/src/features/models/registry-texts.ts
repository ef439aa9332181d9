import { i18n } from "@/lib/i18n";
import { texts } from "virtual:texts/registry";

// Loaded with the page of models, to keep the first visit small.
i18n.addResourceBundle("en", "translation", texts, true);
