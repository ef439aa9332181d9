import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { ErrorState } from "./ui/error-state";

export interface ProblemStateProps {
  error: unknown;
  onRetry?: () => void;
  retrying?: boolean;
  /** The problem is the whole page. */
  isPage?: boolean;
}

export function ProblemState({ error, onRetry, retrying = false, isPage }: ProblemStateProps) {
  const { t } = useTranslation();
  const problem = asProblem(error);
  const title =
    problem.status === 403
      ? t("problem.title.forbidden")
      : problem.status === 404
        ? t("problem.title.notFound")
        : problem.isTransient
          ? t("problem.title.busy")
          : t("problem.title.failed");
  return (
    <ErrorState
      title={title}
      message={problemMessage(problem)}
      traceId={problem.traceId}
      onRetry={onRetry}
      retrying={retrying}
      isPage={isPage}
    />
  );
}
