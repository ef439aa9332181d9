import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { datasetsQuery } from "@/api/datasets";
import { modelsQuery } from "@/api/models";
import { promptChoicesQuery } from "@/api/prompts";
import type { DatasetSummary, Model, PromptSummary } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { FormSkeleton } from "@/components/ui/skeleton";

export interface RunChoicesProps {
  slug: string;
  /** The dataset of the draft, offered even when it has no cases. */
  datasetId: string | null;
  children: (choices: {
    prompts: readonly PromptSummary[];
    models: readonly Model[];
    datasets: readonly DatasetSummary[];
  }) => ReactNode;
}

/** The sections of a form, once what they offer is loaded: generator prompts, models, and datasets
 * with cases. */
export function RunChoices({ slug, datasetId, children }: RunChoicesProps) {
  const prompts = useQuery(promptChoicesQuery(slug));
  const models = useQuery(modelsQuery(slug));
  const datasets = useQuery(datasetsQuery(slug));
  const all = [prompts, models, datasets];
  if (prompts.data === undefined || models.data === undefined || datasets.data === undefined) {
    return all.some(({ isError }) => isError) ? (
      <LoadError queries={all} />
    ) : (
      <FormSkeleton fields={6} />
    );
  }
  return (
    <div className="grid content-start gap-6">
      <LoadError queries={all} />
      {children({
        prompts: prompts.data.filter(({ kind }) => kind === "generator"),
        models: models.data,
        datasets: datasets.data.filter(({ id, case_count }) => case_count > 0 || id === datasetId),
      })}
    </div>
  );
}
