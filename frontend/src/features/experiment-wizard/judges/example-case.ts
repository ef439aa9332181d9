import { useQuery } from "@tanstack/react-query";
import { caseChoicesQuery } from "@/api/case-choices";
import type { CaseRequest } from "@/api/types";
import { truncate } from "@/lib/format";
import { valueText, type JsonValue } from "@/lib/template";
import type { Draft } from "../wizard-step";

type ExampleCase = Pick<CaseRequest, "inputs" | "expected">;

const LABEL_LENGTH = 70;

/** Cases of the data step, inline or from a dataset. */
export function useExampleCases(slug: string, data: Draft["data"]): readonly ExampleCase[] {
  const datasetId = data.dataset_id;
  const stored = useQuery({
    ...caseChoicesQuery(slug, datasetId ?? ""),
    enabled: datasetId !== null,
  });
  return datasetId === null ? data.cases : (stored.data ?? []);
}

/** One-line label of a case: its values, truncated. */
export function caseLabel({ inputs }: ExampleCase): string {
  const values = Object.values(inputs).map((value) => valueText(value as JsonValue));
  return truncate(values.join(" · ").replaceAll(/\s+/g, " "), LABEL_LENGTH);
}
