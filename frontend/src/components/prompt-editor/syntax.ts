import type { Syntax } from "@/lib/template";

/** Examples of each syntax, inserted into explanatory texts. */
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
  nunjucks: {
    variable: "{% if name %}",
    sentence: "{% if customer %}Write to {{ customer }}{% endif %}",
    plain: "{{ name | upper }}",
  },
};
