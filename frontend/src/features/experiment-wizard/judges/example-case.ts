import { useQuery } from "@tanstack/react-query";
import { caseChoicesQuery } from "@/api/case-choices";
import type { CaseRequest } from "@/api/types";
import { truncate } from "@/lib/format";
import { valueText, type JsonValue } from "@/lib/template";
import type { Draft } from "../wizard-step";

type ExampleCase = Pick<CaseRequest, "inputs" | "expected">;

const LABEL_LENGTH = 70;

/** The cases of the fourth step, wherever they are. */
export function useExampleCases(slug: string, data: Draft["data"]): readonly ExampleCase[] {
  const datasetId = data.dataset_id;
  const stored = useQuery({
    ...caseChoicesQuery(slug, datasetId ?? ""),
    enabled: datasetId !== null,
  });
  return datasetId === null ? data.cases : (stored.data ?? []);
}

/** A case in one line: its values, as far as they fit. */
export function caseLabel({ inputs }: ExampleCase): string {
  const values = Object.values(inputs).map((value) => valueText(value as JsonValue));
  return truncate(values.join(" · ").replaceAll(/\s+/g, " "), LABEL_LENGTH);
}
