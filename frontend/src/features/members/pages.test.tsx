import { aMember } from "@/testing/builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/p/$slug/members", {
  reads: "members",
  filled: listOf(aMember()),
  shows: ["cell", /Ada Lovelace/],
  // A project has at least one member; only the invitations can be empty.
  empty: { text: "members.invitations.none", next: ["button", "members.invite.action"] },
});
