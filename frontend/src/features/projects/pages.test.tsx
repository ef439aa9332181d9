import { aProject } from "@/testing/builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/projects", {
  reads: "/projects",
  filled: listOf(aProject()),
  shows: ["link", /Support answers/],
  empty: { text: "projects.welcome", next: ["button", "projects.createFirst"] },
});
