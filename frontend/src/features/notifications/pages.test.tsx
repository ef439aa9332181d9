import { aNotification } from "@/testing/account-builders";
import { aProject } from "@/testing/builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/notifications", {
  reads: "/notifications",
  filled: listOf(aNotification()),
  shows: ["link", /Better replies #2/],
  responses: { "/projects": listOf(aProject()) },
  empty: { text: "notifications.empty", next: ["link", "notifications.preferences.action"] },
});
