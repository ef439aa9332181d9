import { describe, expect, it } from "vitest";
import {
  changedPlaces,
  conflictingPlaces,
  mergeDrafts,
  parseTags,
  parseValue,
  placeKey,
  putValue,
  showValue,
  toChange,
  editFormatOf,
  type CaseDraft,
} from "./values";

const BASE: CaseDraft = {
  inputs: { question: "Where?", context: { order: 7 } },
  expected: "Here",
  tags: ["late"],
  difficulty: 2,
  split: "train",
  origin: "manual",
  notes: null,
};

describe("values of a case", () => {
  it("shows texts as they are and everything else as JSON", () => {
    expect(showValue("plain")).toBe("plain");
    expect(showValue({ order: 7 })).toBe('{"order":7}');
    expect(showValue(undefined)).toBe("");
    expect(editFormatOf("7")).toBe("text");
    expect(editFormatOf(7)).toBe("json");
  });

  it("reads JSON only where JSON is meant", () => {
    expect(parseValue("7", "text")).toEqual({ ok: true, value: "7" });
    expect(parseValue("7", "json")).toEqual({ ok: true, value: 7 });
    expect(parseValue("{", "json").ok).toBe(false);
  });

  it("parts tags as files do, each once", () => {
    expect(parseTags(" late, vip;late | new\nold ")).toEqual(["late", "vip", "new", "old"]);
  });

  it("takes an input away when it has no value", () => {
    const place = { field: "input", variable: "context" } as const;
    expect(putValue(BASE, place, undefined).inputs).toEqual({ question: "Where?" });
  });
});

describe("changes of a case", () => {
  const mine = putValue(
    putValue(BASE, { field: "input", variable: "question" }, "Mine"),
    { field: "difficulty" },
    3,
  );
  const theirs = putValue(
    putValue(BASE, { field: "input", variable: "question" }, "Theirs"),
    { field: "tags" },
    ["vip"],
  );

  it("sends only what differs, and inputs as a whole", () => {
    expect(toChange(BASE, mine)).toEqual({
      inputs: { question: "Mine", context: { order: 7 } },
      difficulty: 3,
    });
    expect(changedPlaces(BASE, { ...BASE })).toEqual([]);
  });

  it("is a conflict only where both changed the same thing in different ways", () => {
    expect(conflictingPlaces(BASE, mine, theirs).map(placeKey)).toEqual(["inputs.question"]);
    expect(conflictingPlaces(BASE, mine, mine)).toEqual([]);
  });

  it("keeps the changes of both sides, and of one where they meet", () => {
    expect(mergeDrafts(BASE, mine, theirs, () => false)).toEqual({ ...mine, tags: ["vip"] });
    expect(
      mergeDrafts(BASE, mine, theirs, (place) => placeKey(place) === "inputs.question"),
    ).toEqual({ ...theirs, difficulty: 3 });
  });
});
