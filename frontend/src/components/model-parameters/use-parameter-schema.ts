import { useQuery } from "@tanstack/react-query";
import { knownModelQuery } from "@/api/models";
import type { Model, ModelCapabilities } from "@/api/types";
import type { FormValue } from "@/components/schema-form/schema";
import { parameterSchema } from "./parameter-schema";

export interface ParameterSchemaOptions {
  /** What has been entered so far. */
  current: FormValue;
  /** Other than the stored ones while they are being edited. */
  capabilities?: ModelCapabilities;
  /** Whether the model's own values show where nothing is entered. */
  showsOwn?: boolean;
}

/** The form of a model's parameters, with the ranges that its provider allows. */
export function useParameterSchema(
  slug: string,
  model: Model | undefined,
  { current, capabilities, showsOwn = false }: ParameterSchemaOptions,
) {
  const known = useQuery({
    ...knownModelQuery(slug, model?.credential_id ?? "", model?.provider_model ?? ""),
    enabled: model !== undefined,
  });
  const schema = parameterSchema({
    rules: known.data?.parameter_rules,
    capabilities: capabilities ?? model?.capabilities ?? {},
    current,
    own: showsOwn ? model?.parameters : undefined,
  });
  return { schema, isPending: known.isPending };
}
