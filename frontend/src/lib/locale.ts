/** Catalogues of other languages than English, each loaded as a whole when it is the reader's. */
const catalogues = import.meta.glob<{ default: object }>([
  "../locales/*.json",
  "!../locales/en.json",
]);
const LANGUAGES = ["en", ...Object.keys(catalogues).map((path) => path.slice(11, -5))];

/** The first of the reader's languages that there is a catalogue for. */
export function chooseLanguage(wanted: readonly string[], known: readonly string[]): string {
  const languages = wanted.map((tag) => new Intl.Locale(tag).language);
  return languages.find((language) => known.includes(language)) ?? "en";
}

/**
 * Locale of dates, numbers and money: the words of the interface's language, the habits of the
 * reader's region.
 */
export function chooseLocale(wanted: readonly string[], language: string): string {
  const [first = language] = wanted;
  const { region } = new Intl.Locale(first).maximize();
  return region === undefined ? language : `${language}-${region}`;
}

function isTag(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language !== "";
  } catch {
    return false;
  }
}

// Tests of functions run without a browser.
const wanted = typeof navigator === "undefined" ? [] : navigator.languages.filter(isTag);
export const language = chooseLanguage(wanted, LANGUAGES);
export const locale = chooseLocale(wanted, language);

/** The texts of the reader's language; null for English, whose texts come with the pages. */
export async function loadCatalogue(): Promise<object | null> {
  return (await catalogues[`../locales/${language}.json`]?.())?.default ?? null;
}

const formats = new Map<string, Intl.NumberFormat>();

/**
 * Cached: creating a format is a hundred times slower than using it, and grids are full of numbers.
 */
export function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}
