import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { RunRequest } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { useDebounced } from "@/lib/hooks";
import { Assumptions } from "./estimate";
import { estimateQuery } from "./estimate-query";

const REST_MILLISECONDS = 400;

/** Why there is no estimate: the server's message about what is missing. */
function estimateError(error: unknown): string {
  const messages = asProblem(error).fields.map(({ message }) => message);
  return messages.length === 0 ? problemMessage(error) : [...new Set(messages)].join(" ");
}

function Estimate({ slug, request }: { slug: string; request: RunRequest | null }) {
  const { t } = useTranslation();
  const settled = useDebounced(request === null ? "" : JSON.stringify(request), REST_MILLISECONDS);
  const wanted = settled === "" ? null : (JSON.parse(settled) as RunRequest);
  const estimate = useQuery(estimateQuery(slug, wanted));
  if (wanted === null) {
    return <p className="text-sm text-ink-muted">{t("runs.new.nothingYet")}</p>;
  }
  if (estimate.isError) {
    return <p className="text-sm text-ink-muted">{estimateError(estimate.error)}</p>;
  }
  if (estimate.data === undefined) {
    return (
      <div className="grid gap-2">
        <Skeleton className="h-4" />
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-5/6" />
      </div>
    );
  }
  return (
    <div
      aria-busy={estimate.isPlaceholderData}
      className={estimate.isPlaceholderData ? "opacity-60" : undefined}
    >
      <Assumptions estimate={estimate.data} />
    </div>
  );
}

export interface StartPanelProps {
  slug: string;
  request: RunRequest | null;
  isStarting: boolean;
}

/** Estimate and start button. */
export function StartPanel({ slug, request, isStarting }: StartPanelProps) {
  const { t } = useTranslation();
  return (
    <Card aria-labelledby="run-estimate" className="grid gap-5 p-5">
      <div className="grid gap-3" aria-live="polite">
        <h2 id="run-estimate" className="text-sm font-semibold">
          {t("runs.estimate.title")}
        </h2>
        <Estimate slug={slug} request={request} />
      </div>
      <Button type="submit" loading={isStarting}>
        <Play aria-hidden />
        {request === null
          ? t("runs.new.start")
          : t("runs.new.startVariants", { count: request.variants.length })}
      </Button>
    </Card>
  );
}
