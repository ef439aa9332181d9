/** Path of a nested value: keys and indexes from the outside in. */
export type JsonPath = readonly (string | number)[];

/** A validation error in a JSON text. */
export interface JsonFinding {
  path: JsonPath;
  message: string;
}

export type JsonCheck = (value: unknown) => readonly JsonFinding[];

/** Undefined when the text is not JSON; an empty text is an empty list. */
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
