import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api/session";
import { useChange } from "@/api/use-change";
import { Button } from "@/components/ui/button";

/** Banner of the demo project until the user has started or declined the tour. */
export function TourOffer({ onStarted }: { onStarted: () => void }) {
  const { t } = useTranslation();
  const { has_seen_tour: hasSeen } = useUser();
  const change = useChange("patch", "/auth/me", { body: { has_seen_tour: true } });
  // Hidden at once; shown again if it could not be stored.
  if (hasSeen || change.isPending || change.isSuccess) {
    return null;
  }
  return (
    <aside
      aria-label={t("tour.action")}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-border bg-surface px-4 py-2 text-sm md:px-6"
    >
      <Compass aria-hidden className="size-4 shrink-0 text-accent-ink" />
      <p className="min-w-0 flex-1 basis-52">{t("tour.offer.text")}</p>
      <div className="flex gap-2">
        <Button variant="ghost" size="sm" onClick={() => change.mutate(undefined)}>
          {t("tour.offer.decline")}
        </Button>
        <Button
          size="sm"
          onClick={() => {
            change.mutate(undefined);
            onStarted();
          }}
        >
          {t("tour.offer.start")}
        </Button>
      </div>
    </aside>
  );
}
