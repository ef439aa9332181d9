import { describe, expect, it } from "vitest";
import { diffWords } from "./word-diff";

const shown = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `{+${text}+}` })[kind])
    .join("");

describe("differences word by word", () => {
  it("marks what was replaced, added and removed", () => {
    expect(shown("The capital is Paris.", "The capital is Rome.")).toBe(
      "The capital is [-Paris-]{+Rome+}.",
    );
    expect(shown("a b", "a new b")).toBe("a {+new +}b");
    expect(shown("a old b", "a b")).toBe("a [-old -]b");
  });

  it("knows what is the same, and what is nothing", () => {
    expect(diffWords("one two", "one  two")).toEqual([{ kind: "same", text: "one  two" }]);
    expect(diffWords("", "")).toEqual([]);
    expect(shown("", "new")).toBe("{+new+}");
    expect(shown("old", "")).toBe("[-old-]");
  });

  it("treats letters of all languages as words", () => {
    expect(shown("größer als", "größte als")).toBe("[-größer -]{+größte +}als");
  });

  it("gives both texts back, whatever they are", () => {
    const words = ["a", "b", "c", "d", ","];
    for (let seed = 1; seed <= 200; seed += 1) {
      const text = (salt: number) =>
        Array.from(
          { length: (seed * salt) % 13 },
          (_, at) => words[(seed * salt * (at + 3) * 7919) % words.length],
        ).join(" ");
      const [before, after] = [text(5), text(11)];
      const parts = diffWords(before, after);
      const side = (left: "removed" | "added") =>
        parts
          .filter(({ kind }) => kind === "same" || kind === left)
          .map((part) => part.text)
          .join("")
          .replaceAll(/\s+/g, "");
      expect(side("removed")).toBe(before.replaceAll(" ", ""));
      expect(side("added")).toBe(after.replaceAll(" ", ""));
    }
  });

  it("gives up on long texts with nothing in common", () => {
    const long = (word: string) => `${word} `.repeat(600);
    expect(diffWords(long("a"), long("b")).map(({ kind }) => kind)).toEqual(["removed", "added"]);
  });
});
