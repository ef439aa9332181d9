import type { ParameterValues } from "@/api/types";
import { setParameters } from "@/components/model-parameters/parameter-schema";
import type { FormValue } from "@/components/schema-form/schema";

/** Form state of a chosen model. */
export interface ModelChoice {
  /** Stable list key while models are edited. */
  key: number;
  /** Empty until a model is chosen. */
  modelId: string;
  parameters: FormValue;
}

export interface ModelRequest {
  model_id: string;
  parameters?: ParameterValues | null;
}

/** Form state of stored models; one empty choice without any. */
export function modelChoicesOf(models: readonly ModelRequest[]): ModelChoice[] {
  return models.length === 0
    ? [{ key: 0, modelId: "", parameters: {} }]
    : models.map(({ model_id, parameters }, key) => ({
        key,
        modelId: model_id,
        parameters: { ...parameters },
      }));
}

/** The chosen models with the parameters that are set. */
export function modelRequestsOf(choices: readonly ModelChoice[]) {
  return choices
    .filter(({ modelId }) => modelId !== "")
    .map(({ modelId, parameters }) => {
      const set = setParameters(parameters);
      return { model_id: modelId, parameters: Object.keys(set).length === 0 ? null : set };
    });
}
