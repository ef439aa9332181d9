import { useQuery } from "@tanstack/react-query";
import type { Model, ModelCapabilities } from "@/api/types";
import { parameterSchema } from "./parameter-schema";
import { knownModelQuery } from "./queries";

export interface ParameterSchemaOptions {
  /** Other than the stored ones while they are being edited. */
  capabilities?: ModelCapabilities;
  /** Whether the model's own values show where nothing is entered. */
  showsOwn?: boolean;
}

/** The form of a model's parameters, with the ranges that its provider allows. */
export function useParameterSchema(
  slug: string,
  model: Model | undefined,
  { capabilities, showsOwn = false }: ParameterSchemaOptions = {},
) {
  const known = useQuery({
    ...knownModelQuery(slug, model?.credential_id ?? "", model?.provider_model ?? ""),
    enabled: model !== undefined,
  });
  const schema = parameterSchema(
    known.data?.parameter_rules,
    capabilities ?? model?.capabilities ?? {},
    showsOwn ? model?.parameters : undefined,
  );
  return { schema, isPending: known.isPending };
}
