import type { Case, CaseChange } from "@/api/types";

/** Edit format of a value. */
export type EditFormat = "text" | "json";

export function editFormatOf(value: unknown): EditFormat {
  return value === undefined || typeof value === "string" ? "text" : "json";
}

/** Value as shown in a cell: strings unchanged, other values as JSON. */
export function showValue(value: unknown): string {
  if (value === undefined) {
    return "";
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Value as edited: multi-line JSON for non-strings. */
export function writeValue(value: unknown): string {
  return typeof value === "string" || value === undefined
    ? (value ?? "")
    : JSON.stringify(value, null, 2);
}

export type Parsed = { ok: true; value: unknown } | { ok: false; problem: string };

export function parseValue(text: string, writing: EditFormat): Parsed {
  if (writing === "text") {
    return { ok: true, value: text };
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Tags are separated by commas, semicolons, bars or line breaks, as in files. */
export function parseTags(text: string): string[] {
  const tags = text
    .split(/[,;|\r\n\t]+/)
    .map((tag) => tag.trim())
    .filter(Boolean);
  return [...new Set(tags)];
}

const PROPERTIES = ["expected", "tags", "difficulty", "split", "origin", "notes"] as const;
type Property = (typeof PROPERTIES)[number];

/** User-editable fields of a case. */
export type CaseDraft = Pick<Case, "inputs" | Property>;

/** A field of a case that can be changed separately. */
export type CaseField = { field: "input"; variable: string } | { field: Property };

export function valueAt(draft: CaseDraft, place: CaseField): unknown {
  return place.field === "input" ? draft.inputs[place.variable] : draft[place.field];
}

/** Copy of the draft with a new value; undefined removes an input. */
export function putValue(draft: CaseDraft, place: CaseField, value: unknown): CaseDraft {
  if (place.field !== "input") {
    return { ...draft, [place.field]: value };
  }
  const inputs = { ...draft.inputs, [place.variable]: value };
  return {
    ...draft,
    inputs: Object.fromEntries(Object.entries(inputs).filter(([, each]) => each !== undefined)),
  };
}

export function isSameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Fields in which two drafts differ; inputs separately. */
export function changedPlaces(before: CaseDraft, after: CaseDraft): CaseField[] {
  const variables = new Set([...Object.keys(before.inputs), ...Object.keys(after.inputs)]);
  const places: CaseField[] = [
    ...Array.from(variables, (variable): CaseField => ({ field: "input", variable })),
    ...PROPERTIES.map((field): CaseField => ({ field })),
  ];
  return places.filter((place) => !isSameValue(valueAt(before, place), valueAt(after, place)));
}

/** Update request with only the changed fields. */
export function toChange(before: CaseDraft, after: CaseDraft): Omit<CaseChange, "version"> {
  const fields = new Set(
    changedPlaces(before, after).map(({ field }) => (field === "input" ? "inputs" : field)),
  );
  return Object.fromEntries(Array.from(fields, (field) => [field, after[field]]));
}

/** Fields changed differently on both sides, which the user must resolve. */
export function conflictingPlaces(
  base: CaseDraft,
  mine: CaseDraft,
  theirs: CaseDraft,
): CaseField[] {
  return changedPlaces(base, mine).filter(
    (place) =>
      !isSameValue(valueAt(base, place), valueAt(theirs, place)) &&
      !isSameValue(valueAt(mine, place), valueAt(theirs, place)),
  );
}

/** Their draft with my changes, except for fields where theirs was picked. */
export function mergeDrafts(
  base: CaseDraft,
  mine: CaseDraft,
  theirs: CaseDraft,
  isTheirs: (place: CaseField) => boolean,
): CaseDraft {
  return changedPlaces(base, mine)
    .filter((place) => !isTheirs(place))
    .reduce((draft, place) => putValue(draft, place, valueAt(mine, place)), theirs);
}

export const placeKey = (place: CaseField): string =>
  place.field === "input" ? `inputs.${place.variable}` : place.field;
