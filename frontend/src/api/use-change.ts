import type { QueryKey } from "@tanstack/react-query";
import { keys } from "./keys";
import { addressOf } from "./queries";
import { useRefreshingMutation, type RefreshOptions } from "./refreshing-mutation";
import {
  partsOf,
  request,
  type Answer,
  type Init,
  type Method,
  type Operation,
  type Path,
} from "./request";

type Rest<I, F> = Omit<I, keyof F>;
/** `mutate(undefined)` is allowed when all parameters are fixed. */
type Variables<I, F> = object extends Rest<I, F> ? Rest<I, F> | undefined : Rest<I, F>;

export interface ChangeOptions<V, R> extends RefreshOptions<V, R> {
  /** Families to invalidate instead of the default ones. */
  refresh?: readonly QueryKey[];
  /** Families to invalidate in addition to the default ones. */
  also?: readonly QueryKey[];
}

/** The resource named by the path, and the audit log when it belongs to a project. */
export function familiesOf(path: string, init: unknown): QueryKey[] {
  const parts = addressOf(path, partsOf(init).params);
  const [area, slug = "", resource] = parts;
  if (area !== "projects") {
    return [parts.slice(0, area === "auth" ? 2 : 1)];
  }
  return [resource === undefined ? keys.projects : parts.slice(0, 3), keys.audit(slug)];
}

/**
 * Mutation with one request, typed from the OpenAPI document. `fixed` holds the known parts of the
 * request; `mutate` takes the rest. Invalidates the resource named by the path and the audit log.
 */
export function useChange<
  M extends Exclude<Method, "get">,
  P extends Path<M>,
  F extends Partial<Init<Operation<M, P>>>,
>(
  method: M,
  path: P,
  fixed: F,
  options: ChangeOptions<Variables<Init<Operation<M, P>>, F>, Answer<Operation<M, P>>> = {},
) {
  const { refresh, also = [], ...rest } = options;
  return useRefreshingMutation(
    [...(refresh ?? familiesOf(path, fixed)), ...also],
    (variables: Variables<Init<Operation<M, P>>, F>) =>
      request(method, path, { ...fixed, ...variables }) as Promise<Answer<Operation<M, P>>>,
    rest,
  );
}
