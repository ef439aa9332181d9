import {
  bodyOf,
  contentOf,
  findOccurrences,
  type Content,
} from "@/components/prompt-editor/content";
import type { FormRules } from "../use-form";
import type { Draft } from "../wizard-step";

export const RULES: FormRules<Draft["prompt"], Content> = {
  read: contentOf,
  write: (content, { tools }) => bodyOf(content, tools),
};

/** Variables without a value in any of the inline cases. */
export function missingNames(content: Content, { cases, dataset_id }: Draft["data"]): Set<string> {
  if (dataset_id !== null || cases.length === 0) {
    return new Set();
  }
  const given = new Set(cases.flatMap(({ inputs }) => Object.keys(inputs)));
  return new Set([...findOccurrences(content).keys()].filter((name) => !given.has(name)));
}
