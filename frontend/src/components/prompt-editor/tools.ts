import type { ToolBody } from "@/api/types";
import { readJson, type JsonFinding, type JsonPath } from "@/components/editor/json-values";
import { i18n } from "@/lib/i18n";
import { checkSchema, isRecord } from "./json-schema";

/** Tools of a prompt as JSON text, with validation. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const KNOWN = new Set(["name", "description", "parameters"]);
const LONGEST_DESCRIPTION = 4000;

export function writeTools(tools: readonly ToolBody[]): string {
  return tools.length === 0 ? "" : JSON.stringify(tools, null, 2);
}

/** Null while the text is invalid. */
export function readTools(text: string): ToolBody[] | null {
  const value = readJson(text);
  return value !== undefined && findToolProblems(value).length === 0 ? (value as ToolBody[]) : null;
}

function* toolProblems(tool: unknown, path: JsonPath): Generator<JsonFinding> {
  if (!isRecord(tool)) {
    yield { path, message: i18n.t("prompts.tools.problems.object") };
    return;
  }
  if (typeof tool.name !== "string" || !NAME.test(tool.name)) {
    yield { path: [...path, "name"], message: i18n.t("prompts.tools.problems.name") };
  }
  const { description = "", parameters = {} } = tool;
  if (typeof description !== "string" || description.length > LONGEST_DESCRIPTION) {
    yield { path: [...path, "description"], message: i18n.t("prompts.tools.problems.description") };
  }
  if (!isRecord(parameters) || (parameters.type ?? "object") !== "object") {
    yield { path: [...path, "parameters"], message: i18n.t("prompts.tools.problems.parameters") };
  } else {
    yield* checkSchema(parameters, [...path, "parameters"]);
  }
  for (const key of Object.keys(tool).filter((name) => !KNOWN.has(name))) {
    yield { path: [...path, key], message: i18n.t("prompts.tools.problems.unknown", { key }) };
  }
}

function* repeatedNames(tools: readonly unknown[]): Generator<JsonFinding> {
  const seen = new Set<unknown>();
  for (const [index, tool] of tools.entries()) {
    const name = isRecord(tool) ? tool.name : undefined;
    if (typeof name === "string" && seen.has(name)) {
      const message = i18n.t("prompts.tools.problems.repeated", { name });
      yield { path: [index, "name"], message };
    }
    seen.add(name);
  }
}

export function findToolProblems(value: unknown): JsonFinding[] {
  if (!Array.isArray(value)) {
    return [{ path: [], message: i18n.t("prompts.tools.problems.list") }];
  }
  return [
    ...value.flatMap((tool, index) => [...toolProblems(tool, [index])]),
    ...repeatedNames(value),
  ];
}
