import { describe, expect, it } from "vitest";
import { placeProblems } from "@/components/draft-form/use-draft-form";
import { aMonitor } from "@/testing/monitor-builders";
import {
  casesWith,
  changesOf,
  draftOfMonitor,
  draftOfNew,
  filterOf,
  missingFields,
  planOf,
  SHOWN,
} from "./monitor-draft";

const stored = draftOfMonitor(aMonitor());
const empty = draftOfNew({
  name: "Reply",
  cron: "0 9 * * *",
  daily_budget_usd: "1.00",
  repeats: 1,
});

describe("the form of a monitor", () => {
  it("asks for nothing until everything is chosen", () => {
    expect(planOf(empty)).toBeNull();
    expect(missingFields({ ...empty, name: " " })).toEqual([
      "name",
      "promptId",
      "datasetId",
      "models",
      "scorers",
    ]);
    expect(missingFields(stored)).toEqual([]);
  });

  it("sends what a monitor has", () => {
    expect(planOf(stored)).toEqual({
      prompt_id: "pr1",
      version_id: null,
      dataset_id: "d1",
      cases: null,
      models: [{ model_id: "m1", parameters: { temperature: 0 } }],
      scorers: [
        {
          kind: "contains",
          options: { phrase: "parcel" },
          weight: 1,
          threshold: null,
          is_negated: false,
        },
      ],
      repeats: 1,
      cron: "0 9 * * *",
      rules: aMonitor().config.rules,
      daily_budget_usd: "1.00",
    });
  });

  it("changes only what was edited, so that the baseline is kept", () => {
    expect(changesOf(stored, { ...stored })).toEqual({});
    expect(changesOf(stored, { ...stored, cron: "0 * * * *", budget: " " })).toEqual({
      cron: "0 * * * *",
      daily_budget_usd: null,
    });
  });

  it("keeps parts of a case choice that it does not show", () => {
    const cases = { filter: { q: "refund", tag: "vip" }, limit: 50 };
    expect(filterOf(cases)).toEqual({ split: undefined, tag: "vip", limit: 50 });
    expect(casesWith(cases, { split: "holdout", tag: undefined, limit: null })).toEqual({
      filter: { q: "refund", split: "holdout" },
    });
    expect(casesWith({ limit: 5 }, { limit: null })).toBeNull();
  });

  it("places errors at fields", () => {
    const problem = (field: string) => ({ field, message: `Wrong ${field}`, code: "x" });
    expect(placeProblems([problem("rules.drop.threshold"), problem("other")], SHOWN)).toEqual({
      errors: { "rules.drop.threshold": "Wrong rules.drop.threshold" },
      unplaced: ["Wrong other"],
    });
  });
});
