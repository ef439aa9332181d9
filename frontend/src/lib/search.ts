/** Parsers for search parameters, which are user input. */
export type RawSearch = Record<string, unknown>;

export function textParam(value: unknown): string | undefined {
  if (typeof value === "string") {
    return value === "" ? undefined : value;
  }
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

export function choiceParam<V extends string>(
  value: unknown,
  choices: readonly V[],
): V | undefined {
  return choices.find((choice) => choice === value);
}

export function flagParam(value: unknown): true | undefined {
  return value === true || value === "true" || value === 1 ? true : undefined;
}

/** A number between 0 and 1. */
export function shareParam(value: unknown): number | undefined {
  const share = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof share === "number" && share >= 0 && share <= 1 ? share : undefined;
}

/** A place in a list, from 0. */
export function positionParam(value: unknown): number | undefined {
  const position = typeof value === "string" && value !== "" ? Number(value) : value;
  return Number.isInteger(position) && Number(position) >= 0 ? Number(position) : undefined;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops unset parameters, so that they do not appear in the URL. */
export function definedOnly<T extends object>(params: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}

/** Whether any of the filters is set. */
export function isFiltered(filters: object): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** Redirect target after sign-in: only paths of this application, never another site. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || /[\n\r\t]/.test(next)) {
    return "/projects";
  }
  return /^\/(login|register|sign-in)(?:[/?#]|$)/.test(next) ? "/projects" : next;
}
