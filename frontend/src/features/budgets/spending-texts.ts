import { i18n } from "@/lib/i18n";
import { texts } from "virtual:texts/spendingGroups";

// Loaded with the page of budgets, to keep the first visit small.
i18n.addResourceBundle("en", "translation", texts, true);
