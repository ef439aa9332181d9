import { i18n } from "@/lib/i18n";
import { texts } from "virtual:texts/passwordReset";

// Loaded with the pages for a forgotten password, to keep the first visit small.
i18n.addResourceBundle("en", "translation", texts, true);
