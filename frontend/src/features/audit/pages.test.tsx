import { anAuditEntry } from "@/testing/account-builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/p/$slug/audit", {
  reads: "audit",
  filled: listOf(anAuditEntry()),
  shows: ["button", /prompt\.create/],
  empty: { text: "audit.empty" },
});
