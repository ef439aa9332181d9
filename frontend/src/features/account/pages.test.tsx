import { aSession } from "@/testing/account-builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/account", {
  search: "?tab=sessions",
  reads: "/auth/sessions",
  filled: listOf(aSession()),
  shows: ["button", "account.sessions.revokeOthers"],
  empty: null,
});

describePage("/account", {
  search: "?tab=tokens",
  reads: "/auth/tokens",
  filled: listOf({
    id: "t1",
    name: "CI",
    scope: "write",
    last_four: "abcd",
    created_at: "2026-01-15T10:00:00Z",
    last_used_at: null,
    last_used_address: null,
    expires_at: null,
    projects: null,
  }),
  shows: ["button", /CI$/],
  empty: { text: "account.tokens.none", next: ["button", "account.tokens.new"] },
});
