import { i18n } from "@/lib/i18n";
import { texts } from "virtual:texts/optimizations";

// Loaded with the pages of optimizations, to keep the first visit small.
i18n.addResourceBundle("en", "translation", texts, true);
