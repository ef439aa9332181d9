/** Where a value stands inside another one: keys and indexes from the outside in. */
export type JsonPath = readonly (string | number)[];

/** What is wrong with a value inside a JSON text. */
export interface JsonFinding {
  path: JsonPath;
  message: string;
}

export type JsonCheck = (value: unknown) => readonly JsonFinding[];

/** Undefined when the text is no JSON; an empty text is an empty list. */
export function readJson(text: string): unknown {
  if (text.trim() === "") {
    return [];
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
