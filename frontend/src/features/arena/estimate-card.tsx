import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { RunRequest } from "@/api/types";
import { estimateQuery } from "@/components/run-estimate/estimate-query";
import { EstimateView } from "@/components/run-estimate/estimate-view";
import { useDebounced } from "@/lib/hooks";

const REST_MILLISECONDS = 400;

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
  const settled = useDebounced(request === null ? "" : JSON.stringify(request), REST_MILLISECONDS);
  const wanted = settled === "" ? null : (JSON.parse(settled) as RunRequest);
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
