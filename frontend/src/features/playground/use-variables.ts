import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { variablesQuery } from "@/api/case-choices";
import { findOccurrences, type Content } from "@/components/prompt-editor/content";
import type { Session } from "./session";

const NONE: ReadonlySet<string> = new Set();

/** The variables of what is being written, and which of them nothing gives a value. */
export function useVariables(slug: string, content: Content, session: Session) {
  const { datasetId, inputs } = session;
  const occurrences = useMemo(() => findOccurrences(content), [content]);
  const offered = useQuery({
    ...variablesQuery(slug, datasetId ?? ""),
    enabled: datasetId !== null,
  });
  const names = [...occurrences.keys()];
  const headers = offered.data?.map(({ name }) => name);
  const lacking = names.filter((name) =>
    datasetId === null
      ? Object.keys(inputs).length > 0 && (inputs[name] ?? "").trim() === ""
      : headers !== undefined && !headers.includes(name),
  );
  const key = lacking.join("\n");
  // As text it is the same for as long as the same names lack, so the editor need not start anew.
  const missing = useMemo(() => (key === "" ? NONE : new Set(key.split("\n"))), [key]);
  return { occurrences, names, missing };
}
