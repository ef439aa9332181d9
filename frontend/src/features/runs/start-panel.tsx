import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RunRequest } from "@/api/types";
import { estimateQuery } from "@/components/run-estimate/estimate-query";
import { EstimateView } from "@/components/run-estimate/estimate-view";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { useSettledRequest } from "@/lib/hooks";

function Estimate({ slug, request }: { slug: string; request: RunRequest | null }) {
  const { t } = useTranslation();
  const wanted = useSettledRequest(request);
  const estimate = useQuery(estimateQuery(slug, wanted));
  return (
    <EstimateView estimate={estimate} missing={wanted === null ? t("runs.new.nothingYet") : null} />
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
