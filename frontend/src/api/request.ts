import { api, unwrap } from "./client";
import type { paths } from "./schema.gen";

/** Request types derived from the OpenAPI document; paths omit `/api/v1`. */
export type Method = "get" | "post" | "put" | "patch" | "delete";

export type Path<M extends Method> = {
  [P in keyof paths]: P extends `/api/v1${infer Rest}`
    ? paths[P][M] extends { responses: unknown }
      ? Rest
      : never
    : never;
}[keyof paths];

export type Operation<M extends Method, P extends string> = paths[`/api/v1${P}` & keyof paths][M];

type PathPart<O> = O extends { parameters: { path: infer V extends object } } ? V : unknown;

/** Unset filters may be passed as undefined. */
type AllowUndefined<Q> = { [K in keyof Q]: Q[K] | undefined };
type QueryPart<O> = O extends { parameters: { query: infer Q extends object } }
  ? { query: AllowUndefined<Q> }
  : O extends { parameters: { query?: infer Q } }
    ? [NonNullable<Q>] extends [never]
      ? unknown
      : { query?: AllowUndefined<NonNullable<Q>> }
    : unknown;

type JsonBody<R> = R extends { content: { "application/json": infer B } } ? B : never;
type BodyPart<O> = O extends { requestBody: infer R extends object }
  ? { body: JsonBody<R> }
  : O extends { requestBody?: infer R }
    ? [NonNullable<R>] extends [never]
      ? unknown
      : { body?: JsonBody<NonNullable<R>> }
    : unknown;

/** Path parameters, plus `query` and `body`. */
export type Init<O> = PathPart<O> & QueryPart<O> & BodyPart<O>;

type SuccessStatus = 200 | 201 | 202 | 204;
export type Answer<O> = O extends { responses: infer R }
  ? {
      [S in keyof R & SuccessStatus]: R[S] extends { content: { "application/json": infer B } }
        ? B
        : undefined;
    }[keyof R & SuccessStatus]
  : never;

export interface Parts {
  params: Record<string, unknown>;
  query: Record<string, unknown> | undefined;
  body: unknown;
}

export function partsOf(init: unknown): Parts {
  const { query, body, ...params } = init as Record<string, unknown>;
  return { params, query: query as Parts["query"], body };
}

type UntypedRequest = (method: string, path: string, init: object) => Parameters<typeof unwrap>[0];

/** Sends one untyped request; the caller asserts the types. */
export function request(method: Method, path: string, init: unknown, signal?: AbortSignal) {
  const { params, query, body } = partsOf(init);
  const call = (api.request as unknown as UntypedRequest)(method, `/api/v1${path}`, {
    params: { path: params, query },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  return unwrap(call);
}

/** Sends one request; throws a Problem unless it succeeds. */
export function send<M extends Method, P extends Path<M>>(
  method: M,
  path: P,
  init: Init<Operation<M, P>>,
  signal?: AbortSignal,
): Promise<Answer<Operation<M, P>>> {
  return request(method, path, init, signal) as Promise<Answer<Operation<M, P>>>;
}
