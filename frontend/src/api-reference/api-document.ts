/**
 * The OpenAPI document as shown on the reference page. Only the page's copy is changed:
 * `/api/openapi.json` stays complete.
 */

interface Policy {
  kind: "public" | "signed_in" | "member";
  role: string | null;
  accepts_tokens: boolean;
}

export interface Operation {
  tags: string[];
  summary?: string;
  description?: string;
  security?: unknown;
  "x-policy": Policy;
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: {
    responses: Record<string, { description: string; content?: unknown }>;
    securitySchemes?: unknown;
    [kind: string]: unknown;
  };
  [field: string]: unknown;
}

const LAST_TAG = "operation";

function describeAccess({ kind, role, accepts_tokens }: Policy): string {
  switch (kind) {
    case "public":
      return "anyone";
    case "signed_in":
      return accepts_tokens ? "anyone signed in" : "anyone signed in with a browser";
    case "member":
      return `project members, ${(role ?? "").toLowerCase()} or higher`;
  }
}

function describe({ security: _, ...operation }: Operation): Operation {
  const who = `**Who may call:** ${describeAccess(operation["x-policy"])}`;
  return { ...operation, description: [who, operation.description].filter(Boolean).join("\n\n") };
}

/**
 * Describes authorisation in words instead of padlocks, removes the error body repeated by every
 * error response, and moves the health routes to the end.
 */
export function prepare(document: ApiDocument): ApiDocument {
  const isLast = (methods: Record<string, Operation>) =>
    Object.values(methods).some(({ tags }) => tags.includes(LAST_TAG));
  const paths = Object.entries(document.paths)
    .sort(([, one], [, other]) => Number(isLast(one)) - Number(isLast(other)))
    .map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [method, describe(operation)]),
      ),
    ]);
  const { securitySchemes: _, responses, ...components } = document.components;
  const errors = Object.entries(responses).map(([name, { content: __, ...response }]) => [
    name,
    response,
  ]);
  return {
    ...document,
    paths: Object.fromEntries(paths) as ApiDocument["paths"],
    components: {
      ...components,
      responses: Object.fromEntries(errors) as ApiDocument["components"]["responses"],
    },
  };
}
