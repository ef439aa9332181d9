import { aPrompt } from "@/testing/builders";
import { describePage, listOf } from "@/testing/pages";

describePage("/p/$slug/prompts", {
  reads: "prompts",
  filled: listOf(aPrompt()),
  shows: ["link", "Reply"],
  command: "lists.duplicate",
  empty: { text: "prompts.empty.title", next: ["button", "prompts.create.first"] },
});

describePage("/p/$slug/prompts/$promptId", {
  params: { promptId: "pr1" },
  reads: "prompts/pr1",
  filled: { ...aPrompt() },
  shows: ["heading", "Reply"],
});
