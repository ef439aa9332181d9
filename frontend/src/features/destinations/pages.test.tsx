import { aNotificationKind } from "@/testing/account-builders";
import { aDestination, CHANNELS } from "@/testing/destination-builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/p/$slug/settings/destinations", {
  reads: "destinations",
  filled: listOf(aDestination()),
  shows: ["cell", /On-call/],
  empty: { text: "destinations.empty.title", next: ["button", "destinations.add.action"] },
  responses: {
    "destinations/channels": listOf(...CHANNELS),
    "/notifications/kinds": listOf(aNotificationKind()),
  },
});
