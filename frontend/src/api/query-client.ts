import { QueryClient } from "@tanstack/react-query";
import { Problem } from "./problem";

const MAX_RETRIES = 4;
const LONGEST_WAIT = 120;

/** Retries reads while the server is busy or down, never after a client error. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return (
    error instanceof Problem &&
    error.isTransient &&
    failures < MAX_RETRIES &&
    (error.retryAfter ?? 0) <= LONGEST_WAIT
  );
}

/** Milliseconds: the server's Retry-After, otherwise 1, 2, 4, 8 seconds. */
export function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof Problem ? error.retryAfter : null;
  return asked === null ? Math.min(8000, 1000 * 2 ** failures) : Math.max(0.25, asked) * 1000;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The server often runs on the same machine: being offline does not make it unreachable.
        networkMode: "always",
        staleTime: 15_000,
        retry: shouldRetry,
        retryDelay,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
