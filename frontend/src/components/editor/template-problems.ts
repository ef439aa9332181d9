import { i18n } from "@/lib/i18n";
import { findVariables, parseTemplate, type Syntax, type Variable } from "@/lib/template";
import type { EditorProblem } from "./problem";

const EXAMPLES: Record<Syntax, string> = {
  double: "{{name}}",
  single: "{name}",
  nunjucks: "{{name}}",
};
// Text between double braces that is not a valid name; a preceding backslash escapes it.
const BRACED = /(?<!\\)\{\{([^{}\n]{0,100})\}\}/g;

function malformed(text: string, variables: readonly Variable[]): EditorProblem[] {
  const known = new Set(variables.map((variable) => variable.start));
  return Array.from(text.matchAll(BRACED))
    .filter((match) => !known.has(match.index))
    .map((match) => ({
      from: match.index,
      to: match.index + match[0].length,
      severity: "warning",
      message: i18n.t("editor.problems.notAName", { written: match[0] }),
    }));
}

/** Placeholders in the other syntax, which would not be replaced. */
function otherSyntaxProblems(
  text: string,
  syntax: Syntax,
  own: readonly Variable[],
): EditorProblem[] {
  if (syntax === "nunjucks" || (syntax === "double" && own.length > 0)) {
    return [];
  }
  const other = syntax === "double" ? "single" : "double";
  return findVariables(parseTemplate(text, other)).map((variable) => ({
    from: variable.start,
    to: variable.end,
    severity: "warning",
    message: i18n.t("editor.problems.otherSyntax", {
      written: text.slice(variable.start, variable.end),
      example: EXAMPLES[syntax],
    }),
  }));
}

export interface TemplateContext {
  syntax: Syntax;
  /** Variables without a value in the current context. */
  missing: ReadonlySet<string>;
}

export function findTemplateProblems(text: string, context: TemplateContext): EditorProblem[] {
  const { syntax, missing } = context;
  const variables = findVariables(parseTemplate(text, syntax));
  const withoutValue = variables
    .filter((variable) => missing.has(variable.name))
    .map((variable): EditorProblem => ({
      from: variable.start,
      to: variable.end,
      severity: "info",
      message: i18n.t("editor.problems.missing", { name: variable.name }),
    }));
  return [
    ...withoutValue,
    ...otherSyntaxProblems(text, syntax, variables),
    ...(syntax === "double" ? malformed(text, variables) : []),
  ];
}
