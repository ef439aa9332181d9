/**
 * Resolves references for Swagger UI. Its own resolver normalises the whole document again for each
 * operation shown, which takes seconds with a document of this size.
 */

const MAX_DEPTH = 12;

type Path = readonly (string | number)[];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valueAt(document: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown> | undefined)?.[key],
    document,
  );
}

/**
 * Returns `value` with references resolved; a circular reference becomes a schema with only a name.
 */
export function dereference(
  value: unknown,
  document: unknown,
  open: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => dereference(item, document, open));
  }
  if (!isRecord(value)) {
    return value;
  }
  const { $ref: reference } = value;
  if (typeof reference !== "string") {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, dereference(item, document, open)]),
    );
  }
  const path = reference.replace("#/", "").split("/");
  if (open.includes(reference) || open.length >= MAX_DEPTH) {
    return { title: path.at(-1) };
  }
  return dereference(valueAt(document, path), document, [...open, reference]);
}

/** Same signature as swagger-client's `resolveSubtree`. */
export function resolveSubtree(
  document: unknown,
  path: Path,
): Promise<{ spec: unknown; errors: [] }> {
  return Promise.resolve({ spec: dereference(valueAt(document, path), document), errors: [] });
}
