import { useState } from "react";
import { datasetPath, type DatasetAddress } from "@/api/case-imports";
import { keys } from "@/api/keys";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { Case } from "@/api/types";
import { useChange } from "@/api/use-change";
import { updateCachedCase, staleCase } from "./case-queries";
import { DATASET } from "./queries";
import { changedPlaces, conflictingPlaces, mergeDrafts, toChange, type CaseDraft } from "./values";

/** Two conflicting changes of a case; both are kept until the user picks. */
export interface Conflict {
  base: Case;
  mine: CaseDraft;
  current: Case;
}

export interface Refusal {
  /** By field as the server names it: `inputs.question`, `tags`. */
  fields: Record<string, string>;
  message: string | null;
}

export const NO_REFUSAL: Refusal = { fields: {}, message: null };

export function refusalOf(error: unknown): Refusal {
  const problem = asProblem(error);
  if (problem.fields.length === 0) {
    return { fields: {}, message: problemMessage(problem) };
  }
  const fields: Record<string, string> = {};
  for (const { field, message } of problem.fields) {
    fields[field] = fields[field] === undefined ? message : `${fields[field]} ${message}`;
  }
  return { fields, message: null };
}

export interface SaveCase {
  /** Resolves to true when the draft is saved or unchanged. */
  save: (base: Case, draft: CaseDraft) => Promise<boolean>;
  isSaving: boolean;
  refusal: Refusal;
  conflict: Conflict | null;
  setConflict: (conflict: Conflict | null) => void;
}

/** Saves a case; merges concurrent changes to different fields. */
export function useSaveCase(at: DatasetAddress): SaveCase {
  const change = useChange("patch", `${DATASET}/cases/{case_id}`, datasetPath(at), {
    refresh: [],
    // Update the cache first, so that the next cell need not wait for the refetch.
    keep: (queryClient, saved) => {
      updateCachedCase(queryClient, at, saved);
      void queryClient.invalidateQueries({ queryKey: keys.dataset(at.slug, at.datasetId) });
    },
  });
  const [refusal, setRefusal] = useState(NO_REFUSAL);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const save = async (base: Case, draft: CaseDraft): Promise<boolean> => {
    setRefusal(NO_REFUSAL);
    if (changedPlaces(base, draft).length === 0) {
      return true;
    }
    try {
      await change.mutateAsync({
        case_id: base.id,
        body: { ...toChange(base, draft), version: base.version },
      });
      setConflict(null);
      return true;
    } catch (error) {
      const current = staleCase(error);
      if (current === null) {
        setRefusal(refusalOf(error));
        return false;
      }
      if (conflictingPlaces(base, draft, current).length > 0) {
        setConflict({ base, mine: draft, current });
        return false;
      }
      return save(
        current,
        mergeDrafts(base, draft, current, () => false),
      );
    }
  };
  return { save, isSaving: change.isPending, refusal, conflict, setConflict };
}

/** All errors as one text, for places with a single line. */
export function refusalText({ fields, message }: Refusal): string | null {
  const texts = [...Object.values(fields), ...(message === null ? [] : [message])];
  return texts.length === 0 ? null : texts.join(" ");
}

/** The server's error message; field errors take precedence. */
export function explain(error: unknown): string | null {
  return error === null ? null : refusalText(refusalOf(error));
}
