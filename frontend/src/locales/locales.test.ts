import { describe, expect, it } from "vitest";
import { chooseLanguage, chooseLocale } from "@/lib/locale";
import en from "./en.json";

interface Texts {
  [key: string]: string | Texts;
}

const PLURAL = /_(zero|one|two|few|many|other)$/;
const files = import.meta.glob<Texts>("./*.json", { eager: true, import: "default" });

function flatten(texts: Texts, path = ""): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([name, value]) =>
      typeof value === "string"
        ? [[path + name, value] as const]
        : [...flatten(value, `${path}${name}.`)],
    ),
  );
}

const namesIn = (text: string) =>
  [...new Set([...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name = ""]) => name))].sort();

/** What a catalogue lacks of the English one, what it has besides, and texts that lost a value. */
function problemsOf(texts: Texts, language: string): string[] {
  const own = flatten(texts);
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const wanted = new Map<string, string>();
  for (const [key, text] of flatten(en)) {
    const categories = PLURAL.test(key) ? pluralCategories.map((each) => `_${each}`) : [""];
    categories.forEach((end) => wanted.set(key.replace(PLURAL, "") + end, text));
  }
  // i18next knows `_zero` in every language.
  const known = (key: string) => wanted.has(key.replace(/_zero$/, "_other"));
  // "One case" needs no number.
  const whole = [...wanted].filter(([key]) => !PLURAL.test(key) || key.endsWith("_other"));
  const lost = whole.filter(([key, text]) => {
    const values = namesIn(own.get(key) ?? text);
    return !namesIn(text).every((name) => values.includes(name));
  });
  return [
    ...[...wanted.keys()].filter((key) => !own.get(key)?.trim()).map((key) => `missing ${key}`),
    ...[...own.keys()].filter((key) => !known(key)).map((key) => `unknown ${key}`),
    ...lost.map(([key]) => `a value is missing in ${key}`),
  ];
}

describe("catalogues", () => {
  it.each(Object.entries(files))("%s is complete", (path, texts) => {
    expect(problemsOf(texts, path.slice(2, -5))).toEqual([]);
  });

  it("asks for the plurals of the language, and for the values of each text", () => {
    const texts = structuredClone(en) as Texts & typeof en;
    (texts.format as Texts).browserOn = "{{browser}}";
    (texts.format as Texts).justNow = " ";
    (texts.format as Texts).more = "x";
    const problems = problemsOf(texts, "pl");
    expect(problems).toContain("missing format.justNow");
    expect(problems).toContain("unknown format.more");
    expect(problems).toContain("a value is missing in format.browserOn");
    expect(problems).toContain("missing datasets.bulk.chosen_few");
  });
});

describe("the reader's language and region", () => {
  it("is the first language with a catalogue", () => {
    expect(chooseLanguage(["fr-CA", "de-AT", "en"], ["en", "de"])).toBe("de");
    expect(chooseLanguage(["fr"], ["en", "de"])).toBe("en");
    expect(chooseLanguage([], ["en"])).toBe("en");
  });

  it("keeps the habits of the region with the words of the interface", () => {
    const locale = chooseLocale(["de-DE", "en"], "en");
    expect(locale).toBe("en-DE");
    expect(new Intl.NumberFormat(locale).format(1234.5)).toBe("1.234,5");
    expect(chooseLocale(["en-GB"], "en")).toBe("en-GB");
    expect(chooseLocale(["sv"], "en")).toBe("en-SE");
    expect(chooseLocale([], "en")).toBe("en-US");
  });
});
