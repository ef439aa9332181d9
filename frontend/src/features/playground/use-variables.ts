import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { variablesQuery } from "@/api/case-choices";
import { findOccurrences, type Content } from "@/components/prompt-editor/content";
import type { Session } from "./session";

const NONE: ReadonlySet<string> = new Set();

/** Variables of the edited text, and those without a value. */
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
  // A string is stable while the same names are missing, so the editor is not reset.
  const missing = useMemo(() => (key === "" ? NONE : new Set(key.split("\n"))), [key]);
  return { occurrences, names, missing };
}
