import type { Syntax } from "@/lib/template";

/** Examples of each syntax, inserted into explanatory texts. */
export const SYNTAX_EXAMPLES: Record<
  Syntax,
  { label: string; variable: string; sentence: string; plain: string }
> = {
  double: {
    label: "{{name}}",
    variable: "{{name}}",
    sentence: "Write to {{customer}}",
    plain: '{"a": 1}',
  },
  single: {
    label: "{name}",
    variable: "{name}",
    sentence: "Write to {customer}",
    plain: "\\{name}",
  },
  nunjucks: {
    label: "Nunjucks",
    variable: "{{ name }}",
    sentence: "{% if customer %}Write to {{ customer }}{% endif %}",
    plain: "{{ name | upper }}",
  },
};
