import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages, LARGEST_PAGE } from "@/api/pages";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import type { CaseRequest, SuggestionDecision } from "@/api/types";
import { definedOnly } from "@/lib/search";
import type { QueueView } from "./queue-view";

const PAGE_SIZE = 25;

const ofSuggestion = (slug: string, suggestionId: string) => ({
  params: { path: { project: slug, suggestion_id: suggestionId } },
});

export const queueQuery = (slug: string, { q, state, experiment }: QueueView) =>
  infiniteQueryOptions({
    queryKey: keys.suggestionList(slug, { q, state, experiment }),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/suggestions", {
          signal,
          params: {
            path: { project: slug },
            query: definedOnly({
              limit: PAGE_SIZE,
              cursor: pageParam ?? undefined,
              q,
              state,
              experiment_id: experiment,
            }),
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
    placeholderData: keepPreviousData,
  });

/** How many suggestions wait in the project. */
export const waitingCountQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.suggestionList(slug, { part: "count" }),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/suggestions", {
          signal,
          params: { path: { project: slug }, query: { limit: 1 } },
        }),
      ),
    select: (page) => page.total ?? page.items.length,
  });

/** Experiments in which nothing usable was suggested, so that somebody has to write an edit. */
export const stuckExperimentsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.experimentList(slug, { part: "stuck" }),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/experiments", {
          signal,
          params: { path: { project: slug }, query: { state: "reviewing", limit: LARGEST_PAGE } },
        }),
      ),
    select: (page) => page.items.filter((experiment) => experiment.waiting_suggestions === 0),
  });

export const suggestionQuery = (slug: string, suggestionId: string) =>
  queryOptions({
    queryKey: keys.suggestionPart(slug, suggestionId, "detail"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/suggestions/{suggestion_id}", {
          signal,
          ...ofSuggestion(slug, suggestionId),
        }),
      ),
  });

export const commentsQuery = (slug: string, suggestionId: string) =>
  infiniteQueryOptions({
    queryKey: keys.suggestionPart(slug, suggestionId, "comments"),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/suggestions/{suggestion_id}/comments", {
          signal,
          params: {
            path: { project: slug, suggestion_id: suggestionId },
            query: definedOnly({ limit: LARGEST_PAGE, cursor: pageParam ?? undefined }),
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
  });

/** What an edited text comes to, for as long as the text stays the same. */
export const checkQuery = (slug: string, suggestionId: string, text: string) =>
  queryOptions({
    queryKey: keys.suggestionCheck(slug, { suggestionId, text }),
    queryFn: ({ signal }) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/suggestions/{suggestion_id}/check", {
          signal,
          ...ofSuggestion(slug, suggestionId),
          body: { text },
        }),
      ),
    staleTime: Infinity,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });

/** What somebody decides. `mayBranch` also when the prompt has newer versions by now. */
export type WantedDecision =
  | { kind: "approve"; reason: string | null; mayBranch: boolean }
  | { kind: "edit"; text: string; reason: string | null; mayBranch: boolean }
  | { kind: "reject"; reason: string };

function send(
  slug: string,
  suggestionId: string,
  wanted: WantedDecision,
): Promise<SuggestionDecision> {
  const place = ofSuggestion(slug, suggestionId);
  const path = "/api/v1/projects/{project}/suggestions/{suggestion_id}";
  switch (wanted.kind) {
    case "reject":
      return unwrap(api.POST(`${path}/reject`, { ...place, body: { reason: wanted.reason } }));
    case "edit":
      return unwrap(
        api.POST(`${path}/edit`, {
          ...place,
          body: { text: wanted.text, reason: wanted.reason, may_branch: wanted.mayBranch },
        }),
      );
    case "approve":
      return unwrap(
        api.POST(`${path}/approve`, {
          ...place,
          body: { reason: wanted.reason, may_branch: wanted.mayBranch },
        }),
      );
  }
}

/** Nothing is shown as decided before the server says so. */
export function useDecide(slug: string, suggestionId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (wanted: WantedDecision) => send(slug, suggestionId, wanted),
    onSuccess: (decision) => {
      queryClient.setQueryData(suggestionQuery(slug, suggestionId).queryKey, decision.suggestion);
    },
    onSettled: () =>
      Promise.all(
        [keys.suggestions(slug), keys.experiments(slug), keys.prompts(slug), keys.audit(slug)].map(
          (queryKey) => queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

export function useComment(slug: string, suggestionId: string) {
  return useRefreshingMutation([keys.suggestions(slug), keys.audit(slug)], (text: string) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/suggestions/{suggestion_id}/comments", {
        ...ofSuggestion(slug, suggestionId),
        body: { text },
      }),
    ),
  );
}

export function useAddCounterexample(slug: string, suggestionId: string) {
  return useRefreshingMutation([keys.datasets(slug), keys.audit(slug)], (body: CaseRequest) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/suggestions/{suggestion_id}/cases", {
        ...ofSuggestion(slug, suggestionId),
        body: { case: body },
      }),
    ),
  );
}
