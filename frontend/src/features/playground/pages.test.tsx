import { aModel, aPrompt } from "@/testing/builders";
import { describeFailedReads, describePage, listOf } from "@/testing/pages";
import { aCell, aRow, aRun, aVariant } from "@/testing/run-builders";

const RUN = aRun({ origin: "playground", state: "completed", variants: [aVariant()] });

describePage("/p/$slug/playground", {
  reads: "runs",
  filled: listOf(RUN),
  shows: ["heading", "Reply"],
  empty: {
    text: "playground.noPrompt.title",
    next: ["button", "playground.noPrompt.example"],
  },
  responses: {
    "POST playground/check": { problems: [], estimate: null, running_id: null },
    models: listOf(aModel()),
    "runs/r1": RUN,
    "runs/r1/rows": listOf(aRow(0, [aCell()])),
    "runs/r1/summary": { variants: [], comparisons: [] },
    "prompts/pr1": aPrompt(),
  },
});

describeFailedReads("/p/$slug/playground", {
  responses: { models: listOf(aModel()) },
  lists: ["prompts", "datasets"],
});
