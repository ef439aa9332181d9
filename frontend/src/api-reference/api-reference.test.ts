import { describe, expect, it } from "vitest";
import { prepare, type ApiDocument, type Operation } from "./api-document";
import { dereference, resolveSubtree } from "./references";
import { matches } from "./search";

function operation(
  policy: Partial<Operation["x-policy"]>,
  fields: Partial<Operation> = {},
): Operation {
  return {
    tags: ["runs"],
    security: [{ token: [] }],
    "x-policy": { kind: "member", role: "EDITOR", accepts_tokens: true, ...policy },
    ...fields,
  };
}

const original: ApiDocument = {
  openapi: "3.1.0",
  paths: {
    "/api/health": { get: operation({ kind: "public", role: null }, { tags: ["operation"] }) },
    "/api/v1/runs": {
      get: operation({ kind: "signed_in", role: null }),
      post: operation({}, { description: "Start a run." }),
      delete: operation({ kind: "signed_in", role: null, accepts_tokens: false }),
    },
  },
  components: {
    schemas: { Run: {} },
    responses: { Error404: { description: "Absent.", content: { "application/json": {} } } },
    securitySchemes: { token: {} },
  },
};

describe("the document of the reference page", () => {
  const shown = prepare(original);

  it("says who may call each operation", () => {
    const { get, post, delete: remove } = shown.paths["/api/v1/runs"] ?? {};
    expect(get?.description).toBe("**Who may call:** anyone signed in");
    expect(remove?.description).toBe("**Who may call:** anyone signed in with a browser");
    expect(post?.description).toBe(
      "**Who may call:** project members, editor or higher\n\nStart a run.",
    );
    expect(shown.paths["/api/health"]?.get?.description).toBe("**Who may call:** anyone");
  });

  it("puts health routes last and keeps every path", () => {
    expect(Object.keys(shown.paths)).toEqual(["/api/v1/runs", "/api/health"]);
  });

  it("leaves out padlocks and repeated error bodies", () => {
    expect(shown.components).toEqual({
      schemas: { Run: {} },
      responses: { Error404: { description: "Absent." } },
    });
    expect(JSON.stringify(shown)).not.toContain("security");
  });

  it("does not change the original", () => {
    expect(original.components.securitySchemes).toBeDefined();
    expect(Object.keys(original.paths)[0]).toBe("/api/health");
  });
});

describe("search", () => {
  it("finds text that contains every word, in any case", () => {
    expect(matches("DELETE /auth/tokens Revoke a token", "REVOKE token")).toBe(true);
    expect(matches("DELETE /auth/tokens Revoke a token", "revoke run")).toBe(false);
    expect(matches("anything", "  ")).toBe(true);
  });
});

describe("references", () => {
  const document = {
    paths: { "/runs": { get: { schema: { $ref: "#/components/schemas/Run" } } } },
    components: {
      schemas: {
        Run: {
          properties: { owner: { $ref: "#/components/schemas/Owner" }, tags: ["a", 7, null] },
        },
        Owner: { properties: { runs: { items: { $ref: "#/components/schemas/Run" } } } },
      },
    },
  };

  it("are replaced by what they name, and a circle ends with the name", async () => {
    const { spec, errors } = await resolveSubtree(document, ["paths", "/runs", "get"]);
    expect(errors).toEqual([]);
    expect(spec).toEqual({
      schema: {
        properties: {
          owner: { properties: { runs: { items: { title: "Run" } } } },
          tags: ["a", 7, null],
        },
      },
    });
  });

  it("to nothing become nothing", () => {
    expect(dereference({ $ref: "#/components/schemas/Absent" }, document)).toBeUndefined();
  });
});
