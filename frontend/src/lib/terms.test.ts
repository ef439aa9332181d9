import { expect, it } from "vitest";
import en from "@/locales/en.json";
import { splitAtTerms, TERMS } from "./terms";

const words = (term: (typeof TERMS)[number]) => en.terms[term].words;

it("finds each term once, whatever its form", () => {
  expect(
    splitAtTerms("Held-out cases: 95% confidence intervals, p = 0.03; an interval.", words),
  ).toEqual([
    { text: "Held-out", term: "heldOut" },
    { text: " cases: 95% ", term: null },
    { text: "confidence intervals", term: "interval" },
    { text: ", ", term: null },
    { text: "p =", term: "pValue" },
    { text: " 0.03; an interval.", term: null },
  ]);
});

it("leaves other texts as they are", () => {
  expect(splitAtTerms("Upheld outside of a pipeline", words)).toEqual([
    { text: "Upheld outside of a pipeline", term: null },
  ]);
});

it("explains every term, and no other", () => {
  expect(Object.keys(en.terms).toSorted()).toEqual([...TERMS].toSorted());
});
