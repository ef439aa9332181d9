import { http, HttpResponse, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";

export const fakeServer = setupServer();

type Method = "get" | "post" | "put" | "patch" | "delete";

export interface RecordedRequest {
  body: unknown;
  headers: Headers;
  url: URL;
}

/** Mocks one path under /api/v1 and records the requests to it. */
export function answer(
  method: Method,
  path: string,
  body: JsonBodyType,
  init: { status?: number; headers?: Record<string, string> } = {},
): RecordedRequest[] {
  const seen: RecordedRequest[] = [];
  fakeServer.use(
    http[method](`*/api/v1/${path}`, async ({ request }) => {
      const isJson = request.headers.get("Content-Type")?.includes("json") ?? false;
      seen.push({
        body: isJson ? await request.clone().json() : null,
        headers: request.headers,
        url: new URL(request.url),
      });
      return body === null
        ? new HttpResponse(null, { status: init.status ?? 204 })
        : HttpResponse.json(body, init);
    }),
  );
  return seen;
}

export interface ProblemBody {
  code: string;
  message?: string;
  details?: JsonBodyType;
  path?: string;
}

export function refuse(
  method: Method,
  path: string,
  status: number,
  { code, message = "", details = null, path: field = "" }: ProblemBody,
  headers: Record<string, string> = {},
): RecordedRequest[] {
  const error = { code, message, details, path: field || null, traceId: "trace-1" };
  return answer(method, path, { error }, { status, headers });
}
