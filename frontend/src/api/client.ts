import createClient from "openapi-fetch";
import { reportConnectivity } from "./connectivity";
import { Problem } from "./problem";
import type { paths } from "./schema.gen";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
const UNAVAILABLE = new Set([502, 503, 504]);

export function readCookie(name: string): string | null {
  const entry = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${name}=`));
  return entry === undefined ? null : decodeURIComponent(entry.slice(name.length + 1));
}

async function send(request: Request): Promise<Response> {
  if (!SAFE_METHODS.has(request.method)) {
    const token = readCookie("edison_csrf");
    if (token !== null) {
      request.headers.set("X-CSRF-Token", token);
    }
  }
  let response: Response;
  try {
    response = await globalThis.fetch(request);
  } catch (error) {
    if (request.signal.aborted) {
      throw error;
    }
    reportConnectivity("unreachable");
    throw Problem.unreachable();
  }
  reportConnectivity(UNAVAILABLE.has(response.status) ? "unavailable" : "online");
  return response;
}

export const api = createClient<paths>({
  baseUrl: globalThis.location.origin,
  credentials: "same-origin",
  fetch: send,
});

let signedOut: () => void = () => undefined;

/** Registers a handler called when the server answers that the session has ended. */
export function onSignedOut(handler: () => void): void {
  signedOut = handler;
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Returns the body of a successful response; throws a Problem otherwise. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok) {
    return data as T;
  }
  const problem = Problem.fromResponse(response, error);
  if (problem.status === 401 && problem.code === "UNAUTHORIZED") {
    signedOut();
  }
  throw problem;
}
