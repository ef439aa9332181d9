import { aCredential, aModel } from "@/testing/builders";
import { anInsight } from "@/testing/model-insight-builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/p/$slug/models", {
  reads: "models",
  filled: listOf(aModel()),
  shows: ["button", "GPT-4o"],
  empty: { text: "models.empty.title", next: ["button", "models.add.action"] },
  responses: { credentials: listOf(aCredential()), "models/insight": anInsight() },
});
