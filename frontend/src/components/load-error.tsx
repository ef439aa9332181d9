import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { Alert } from "./ui/alert";
import { Button } from "./ui/button";

type LoadedQuery = Pick<UseQueryResult, "isLoadingError" | "error" | "isFetching" | "refetch">;

/**
 * Error of queries that fill a part of a page, such as a picker, with a retry. Renders nothing
 * unless one of them failed and has no data.
 */
export function LoadError({ queries }: { queries: readonly LoadedQuery[] }) {
  const { t } = useTranslation();
  const failed = queries.filter((query) => query.isLoadingError);
  if (failed[0] === undefined) {
    return null;
  }
  return (
    <Alert
      tone="danger"
      action={
        <Button
          variant="secondary"
          size="sm"
          loading={failed.some((query) => query.isFetching)}
          onClick={() => failed.forEach((query) => void query.refetch())}
        >
          {t("ui.retry")}
        </Button>
      }
    >
      {problemMessage(failed[0].error)}
    </Alert>
  );
}
