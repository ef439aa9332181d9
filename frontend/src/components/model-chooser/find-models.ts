import type { Model } from "@/api/types";
import { locale } from "@/lib/locale";
import { modelSource } from "@/lib/model-source";

/** What a list of models is narrowed to. */
export interface ModelFilter {
  q: string;
  provider: string | null;
}

export const EVERY_MODEL: ModelFilter = { q: "", provider: null };

/** Titles of the providers of the models, by provider. */
export function providersOf(models: readonly Model[]): Map<string, string> {
  return new Map(
    models
      .map(({ provider, provider_title }): [string, string] => [provider, provider_title])
      .sort(([, one], [, other]) => one.localeCompare(other, locale)),
  );
}

/** Models of the provider whose name, provider and credential contain all words. */
export function findModels(models: readonly Model[], { q, provider }: ModelFilter): Model[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter((model) => {
    const { display_name, provider_model, provider_title, credential_label } = model;
    const text =
      `${display_name} ${provider_model} ${provider_title} ${credential_label}`.toLowerCase();
    return (
      (provider === null || model.provider === provider) &&
      words.every((word) => text.includes(word))
    );
  });
}

export interface ModelGroup {
  source: string;
  models: Model[];
}

/** The models by where they come from, both sorted by name. */
export function groupBySource(found: readonly Model[], all: readonly Model[]): ModelGroup[] {
  const groups = new Map<string, Model[]>();
  for (const model of found.toSorted((one, other) =>
    one.display_name.localeCompare(other.display_name, locale, { numeric: true }),
  )) {
    const source = modelSource(model, all);
    groups.set(source, [...(groups.get(source) ?? []), model]);
  }
  return Array.from(groups, ([source, models]) => ({ source, models })).sort((one, other) =>
    one.source.localeCompare(other.source, locale),
  );
}
