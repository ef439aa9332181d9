import { queryOptions } from "@tanstack/react-query";
import { keys } from "@/api/keys";
import { LARGEST_PAGE } from "@/api/pages";
import { ask, pages, query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { EditableParts, SuggestionDecision } from "@/api/types";
import type { QueueView } from "./queue-view";

const PAGE_SIZE = 25;
export const SUGGESTION = "/projects/{project}/suggestions/{suggestion_id}";

const at = (slug: string, suggestionId: string) => ({
  project: slug,
  suggestion_id: suggestionId,
});

export const queueQuery = (slug: string, { q, state, experiment }: QueueView) =>
  pages(
    "/projects/{project}/suggestions",
    { project: slug, query: { limit: PAGE_SIZE, q, state, experiment_id: experiment } },
    { keepPrevious: true },
  );

/** Number of pending suggestions in the project. */
export const waitingCountQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/suggestions", { project: slug, query: { limit: 1 } }),
    select: (page) => page.total ?? page.items.length,
  });

/** Experiments without usable suggestions, which need an edit by a user. */
export const stuckExperimentsQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/experiments", {
      project: slug,
      query: { state: "reviewing", limit: LARGEST_PAGE },
    }),
    select: (page) => page.items.filter((experiment) => experiment.waiting_suggestions === 0),
  });

export const suggestionQuery = (slug: string, suggestionId: string) =>
  query(SUGGESTION, at(slug, suggestionId));

export const commentsQuery = (slug: string, suggestionId: string) =>
  pages(`${SUGGESTION}/comments`, { ...at(slug, suggestionId), query: { limit: LARGEST_PAGE } });

/** Check of edited parts, cached by their contents. */
export const checkQuery = (slug: string, suggestionId: string, parts: EditableParts) =>
  ask(
    `${SUGGESTION}/check`,
    { ...at(slug, suggestionId), body: parts },
    { staleTime: Infinity, gcTime: 60_000, keepPrevious: true },
  );

/** Decision request. `mayBranch` allows it when the prompt has newer versions. */
export type DecisionRequest =
  | { kind: "approve"; reason: string | null; mayBranch: boolean }
  | { kind: "edit"; parts: EditableParts; reason: string | null; mayBranch: boolean }
  | { kind: "reject"; reason: string };

function decide(
  slug: string,
  suggestionId: string,
  wanted: DecisionRequest,
): Promise<SuggestionDecision> {
  const place = at(slug, suggestionId);
  switch (wanted.kind) {
    case "reject":
      return send("post", `${SUGGESTION}/reject`, { ...place, body: { reason: wanted.reason } });
    case "edit":
      return send("post", `${SUGGESTION}/edit`, {
        ...place,
        body: { ...wanted.parts, reason: wanted.reason, may_branch: wanted.mayBranch },
      });
    case "approve":
      return send("post", `${SUGGESTION}/approve`, {
        ...place,
        body: { reason: wanted.reason, may_branch: wanted.mayBranch },
      });
  }
}

/** Not optimistic: a decision shows only after the server confirmed it. */
export function useDecide(slug: string, suggestionId: string) {
  return useRefreshingMutation(
    [keys.suggestions(slug), keys.experiments(slug), keys.prompts(slug), keys.audit(slug)],
    (wanted: DecisionRequest) => decide(slug, suggestionId, wanted),
    {
      always: true,
      keep: (queryClient, decision) => {
        queryClient.setQueryData(suggestionQuery(slug, suggestionId).queryKey, decision.suggestion);
      },
    },
  );
}
