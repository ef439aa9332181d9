import { describe, expect, it } from "vitest";
import { Problem } from "@/api/problem";
import { aCredential, aProvider } from "@/testing/builders";
import {
  checkDraft,
  draftOf,
  freeLabel,
  newDraft,
  placeRefusal,
  toRequest,
} from "./credential-draft";

const PROVIDER = aProvider();
const ENTERED = {
  ...newDraft(PROVIDER, []),
  fields: {
    api_key: { source: "value", text: "sk-secret" },
    base_url: " https://api.openai.com/v1 ",
  },
};

describe("a credential being entered", () => {
  it("starts with the provider's name, numbered when it is taken", () => {
    expect(newDraft(PROVIDER, []).label).toBe("OpenAI");
    expect(freeLabel("OpenAI", ["OpenAI", "OpenAI 2"])).toBe("OpenAI 3");
  });

  it("keeps settings and secrets apart in the request", () => {
    expect(toRequest(ENTERED, PROVIDER)).toEqual({
      provider: "openai",
      label: "OpenAI",
      settings: { base_url: "https://api.openai.com/v1" },
      secrets: { api_key: { value: "sk-secret" } },
      limits: {},
      is_default: false,
    });
  });

  it("sends the name of a variable instead of a secret", () => {
    const draft = { ...ENTERED, fields: { api_key: { source: "env", text: "MY_KEY" } } };
    expect(toRequest(draft, PROVIDER).secrets).toEqual({ api_key: { env: "MY_KEY" } });
  });

  it("asks for the key, a label and a name that a variable can have", () => {
    expect(checkDraft({ ...newDraft(PROVIDER, []), label: " " }, PROVIDER)).toEqual({
      label: "Enter a name.",
      api_key: "This field is required.",
    });
    const draft = { ...ENTERED, fields: { api_key: { source: "env", text: "9 LIVES" } } };
    expect(checkDraft(draft, PROVIDER).api_key).toMatch(/letters, digits and underscores/);
    expect(checkDraft(ENTERED, PROVIDER)).toEqual({});
  });

  it("shows of a stored one everything but its sealed secrets", () => {
    const stored = aCredential({ settings: { base_url: "https://eu.example.org" } });
    expect(draftOf(PROVIDER, stored).fields).toEqual({
      api_key: { source: "value", text: "" },
      base_url: "https://eu.example.org",
    });
    const named = aCredential({ secrets: { api_key: { env: "MY_KEY", last_four: null } } });
    expect(draftOf(PROVIDER, named).fields.api_key).toEqual({ source: "env", text: "MY_KEY" });
  });
});

describe("a refusal", () => {
  it("puts the server's complaints at their fields", () => {
    const details = [
      { field: "settings.base_url", message: "Not an address.", code: "value_error" },
      { field: "secrets.api_key.env", message: "Not a name.", code: "pattern" },
    ];
    const problem = new Problem(422, { code: "VALIDATION_ERROR", message: "", details });
    expect(placeRefusal(problem, ENTERED, PROVIDER)).toEqual({
      errors: { base_url: "Not an address.", api_key: "Not a name." },
      alert: null,
    });
  });

  it("marks the key that was refused and says why", () => {
    const problem = new Problem(409, { code: "INVALID_KEY", message: "OpenAI says no." });
    expect(placeRefusal(problem, ENTERED, PROVIDER)).toEqual({
      errors: { api_key: "The provider rejected this key." },
      alert: { code: "INVALID_KEY", message: "OpenAI says no." },
    });
  });

  it("keeps what belongs to no field above the buttons", () => {
    const problem = new Problem(409, { code: "NETWORK_ERROR", message: "No answer." });
    expect(placeRefusal(problem, ENTERED, PROVIDER)).toEqual({
      errors: {},
      alert: { code: "NETWORK_ERROR", message: "No answer." },
    });
  });
});
