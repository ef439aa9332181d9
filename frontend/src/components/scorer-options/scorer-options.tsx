import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "@/api/models";
import { graderChoicesQuery } from "@/api/scorers";
import { withChoices, type FormValue, type JsonSchema } from "@/components/schema-form/schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import type { FieldErrors } from "@/components/schema-form/validate";

/** A scorer or comparer kind with an options form. */
export interface OptionsKind {
  options_schema: JsonSchema;
}

/** Options schema of a scorer kind, with the project's resources as choices. */
function useOptionsSchema(slug: string, kind: OptionsKind): JsonSchema {
  const models = useQuery(modelsQuery(slug)).data ?? [];
  const graders = useQuery(graderChoicesQuery(slug)).data ?? [];
  return withChoices(kind.options_schema, {
    models,
    grader: graders.map(({ id, name }) => ({ id, name })),
    version: [],
  });
}

function without(schema: JsonSchema, hidden: readonly string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(
    ([name]) => !hidden.includes(name),
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

export interface ScorerOptionsProps {
  slug: string;
  kind: OptionsKind;
  value: FormValue;
  errors: FieldErrors;
  onValueChanged: (value: FormValue) => void;
  /** Options set elsewhere. */
  hidden?: readonly string[];
  disabled?: boolean;
}

/** Options form of a scorer kind; renders nothing without options. */
export function ScorerOptions(props: ScorerOptionsProps) {
  const { slug, kind, value, errors, onValueChanged, hidden = [], disabled = false } = props;
  const schema = without(useOptionsSchema(slug, kind), hidden);
  if (Object.keys(schema.properties ?? {}).length === 0) {
    return null;
  }
  return (
    <SchemaForm
      columns={2}
      schema={schema}
      value={value}
      errors={errors}
      disabled={disabled}
      onValueChanged={onValueChanged}
    />
  );
}
