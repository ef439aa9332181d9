import { aMember } from "@/testing/builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/p/$slug/members", {
  reads: "members",
  filled: listOf(aMember()),
  shows: ["cell", /Ada Lovelace/],
  // A project has at least one member; what can be empty is the list of invitations.
  empty: { text: "members.invitations.none", next: ["button", "members.invite.action"] },
});
