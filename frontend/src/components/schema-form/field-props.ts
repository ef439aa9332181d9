import type { ReactNode } from "react";
import type { JsonSchema, ResolvedSchema } from "./schema";
import type { FieldErrors } from "./validate";

export interface SchemaFieldProps {
  /** Dotted path from the root of the form. */
  path: string;
  label: string;
  schema: ResolvedSchema;
  root: JsonSchema;
  value: unknown;
  required: boolean;
  errors: FieldErrors;
  disabled: boolean;
  onValueChanged: (value: unknown) => void;
  /** Custom rendering of secret fields. */
  renderSecret?: ((field: SchemaFieldProps) => ReactNode) | undefined;
}
