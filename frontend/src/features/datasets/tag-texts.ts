import { i18n } from "@/lib/i18n";
import { texts } from "virtual:texts/caseTags";

// Loaded with the pages of datasets, to keep the first visit small.
i18n.addResourceBundle("en", "translation", texts, true);
