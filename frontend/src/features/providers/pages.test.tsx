import { aCredential, aProvider } from "@/testing/builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/p/$slug/settings/providers", {
  reads: "credentials",
  filled: listOf(aCredential()),
  shows: ["cell", /Team key/],
  empty: { text: "providers.empty.title", next: ["button", "providers.add.action"] },
  responses: { providers: listOf(aProvider()) },
});
