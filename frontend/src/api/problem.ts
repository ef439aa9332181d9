export interface FieldProblem {
  field: string;
  message: string;
  code: string;
}

interface ErrorBody {
  code: string;
  message: string;
  details?: unknown;
  path?: string | null;
  traceId?: string | null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function readBody(body: unknown): ErrorBody | null {
  const error = isRecord(body) ? body.error : null;
  if (!isRecord(error) || typeof error.code !== "string") {
    return null;
  }
  return {
    code: error.code,
    message: typeof error.message === "string" ? error.message : "",
    details: error.details,
    path: typeof error.path === "string" ? error.path : null,
    traceId: typeof error.traceId === "string" ? error.traceId : null,
  };
}

/** Seconds to wait. The header is a number of seconds or a date. */
export function parseRetryAfter(header: string | null, now = Date.now()): number | null {
  if (header === null || header.trim() === "") {
    return null;
  }
  const seconds = Number(header);
  if (Number.isFinite(seconds)) {
    return Math.max(0, seconds);
  }
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

/** A failed request, in the error format of the API. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;
  readonly path: string | null;
  readonly traceId: string | null;
  readonly retryAfter: number | null;

  constructor(status: number, body: ErrorBody, retryAfter: number | null = null) {
    super(body.message);
    this.name = "Problem";
    this.status = status;
    this.code = body.code;
    this.details = body.details ?? null;
    this.path = body.path ?? null;
    this.traceId = body.traceId ?? null;
    this.retryAfter = retryAfter;
  }

  static fromResponse(response: Response, body: unknown): Problem {
    const known = readBody(body) ?? {
      code: response.status >= 500 ? "SERVICE_UNAVAILABLE" : "UNEXPECTED",
      message: "",
    };
    return new Problem(
      response.status,
      known,
      parseRetryAfter(response.headers.get("Retry-After")),
    );
  }

  static unreachable(): Problem {
    return new Problem(0, { code: "UNREACHABLE", message: "" });
  }

  /** One entry per invalid field; a problem with only `path` counts as one entry. */
  get fields(): FieldProblem[] {
    if (Array.isArray(this.details)) {
      return this.details.filter(
        (entry): entry is FieldProblem =>
          isRecord(entry) && typeof entry.field === "string" && typeof entry.message === "string",
      );
    }
    return this.path === null ? [] : [{ field: this.path, message: this.message, code: this.code }];
  }

  /** Whether a retry may succeed: the server is busy, down or unreachable. */
  get isTransient(): boolean {
    return [0, 408, 429, 502, 503, 504].includes(this.status);
  }
}

export function asProblem(error: unknown): Problem {
  return error instanceof Problem
    ? error
    : new Problem(500, {
        code: "UNEXPECTED",
        message: error instanceof Error ? error.message : String(error),
      });
}
