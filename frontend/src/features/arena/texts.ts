import { i18n } from "@/lib/i18n";
import { texts as arena } from "virtual:texts/arena";
import { texts as questions } from "virtual:texts/questions";
import { texts as voting } from "virtual:texts/voting";

// Loaded with the pages of the arena, to keep the first visit small.
for (const texts of [arena, questions, voting]) {
  i18n.addResourceBundle("en", "translation", texts, true);
}
