import type { Syntax } from "@/lib/template";

/** How each syntax looks, put into sentences by the texts that explain it. */
export const SYNTAX_EXAMPLES: Record<
  Syntax,
  { variable: string; sentence: string; plain: string }
> = {
  double: {
    variable: "{{name}}",
    sentence: "Write to {{customer}}",
    plain: '{"a": 1}',
  },
  single: {
    variable: "{name}",
    sentence: "Write to {customer}",
    plain: "\\{name}",
  },
};
