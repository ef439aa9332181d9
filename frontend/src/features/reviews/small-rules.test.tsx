import { describe, expect, it } from "vitest";
import { aSuggestion, aSuggestionSummary } from "@/testing/review-builders";
import { nextOf } from "./decided-card";
import { countLines } from "./text-diff";

describe("small rules", () => {
  it("counts the lines of a diff, and continues with the same iteration first", () => {
    expect(countLines(aSuggestion().diff)).toEqual({ added: 1, removed: 1 });
    expect(countLines("--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n a\n-- b\n")).toEqual({
      added: 0,
      removed: 1,
    });
    const [older, same] = [
      aSuggestionSummary({ id: "s0", iteration_id: "i0" }),
      aSuggestionSummary({ id: "s2", number: 2 }),
    ];
    expect(nextOf(aSuggestion(), [older, aSuggestionSummary(), same])?.id).toBe("s2");
    expect(nextOf(aSuggestion(), [older, aSuggestionSummary()])?.id).toBe("s0");
    expect(nextOf(aSuggestion(), [aSuggestionSummary()])).toBeUndefined();
  });
});
