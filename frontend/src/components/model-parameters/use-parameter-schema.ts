import { useQuery } from "@tanstack/react-query";
import { knownModelQuery } from "@/api/models";
import type { Model, ModelCapabilities } from "@/api/types";
import type { FormValue } from "@/components/schema-form/schema";
import { parameterSchema } from "./parameter-schema";

export interface ParameterSchemaOptions {
  /** Values entered so far. */
  current: FormValue;
  /** Unsaved capabilities, in place of the stored ones. */
  capabilities?: ModelCapabilities;
  /** Whether the model's own values show in empty fields. */
  showsOwn?: boolean;
}

/** Schema of a model's parameters, with the ranges its provider allows. */
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
