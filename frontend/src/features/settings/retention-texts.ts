import { i18n } from "@/lib/i18n";
import { texts } from "virtual:texts/retention";

// Loaded with the settings page, to keep the first visit small.
i18n.addResourceBundle("en", "translation", texts, true);
