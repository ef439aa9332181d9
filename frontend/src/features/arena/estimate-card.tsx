import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { RunRequest } from "@/api/types";
import { estimateQuery } from "@/components/run-estimate/estimate-query";
import { EstimateView } from "@/components/run-estimate/estimate-view";
import { useSettledRequest } from "@/lib/hooks";

/** Estimated cost and time of a run; `missing` says what it lacks. */
export function EstimateCard({
  slug,
  request,
  missing,
}: {
  slug: string;
  request: RunRequest | null;
  missing: string | null;
}) {
  const { t } = useTranslation();
  const wanted = useSettledRequest(request);
  const estimate = useQuery(estimateQuery(slug, wanted));
  return (
    <section
      aria-label={t("runs.estimate.title")}
      aria-live="polite"
      className="grid gap-3 rounded-lg bg-surface p-4"
    >
      <h3 className="text-sm font-semibold">{t("runs.estimate.title")}</h3>
      <EstimateView estimate={estimate} missing={missing} />
    </section>
  );
}
