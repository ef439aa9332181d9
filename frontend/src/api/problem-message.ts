import { i18n } from "@/lib/i18n";
import { formatCountdown } from "@/lib/format";
import { asProblem } from "./problem";

/** User-facing error message. Uses the server's message, except where it cannot fit the screen. */
export function problemMessage(error: unknown): string {
  const problem = asProblem(error);
  switch (problem.code) {
    case "UNREACHABLE":
      return i18n.t("problem.unreachable");
    case "SERVICE_UNAVAILABLE":
      return i18n.t("problem.unavailable");
    case "TOO_MANY_REQUESTS":
      return problem.retryAfter === null
        ? i18n.t("problem.tooManySoon")
        : i18n.t("problem.tooMany", { time: formatCountdown(problem.retryAfter) });
    case "INVALID_CSRF_TOKEN":
      return i18n.t("problem.csrf");
    case "LAST_OWNER":
      return i18n.t("problem.lastOwner");
    case "INTERNAL_SERVER_ERROR":
      return i18n.t("problem.internal");
    case "FORBIDDEN":
      return i18n.t("problem.forbidden");
    default:
      return problem.message === "" ? i18n.t("problem.unexpected") : problem.message;
  }
}
