import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api/session";
import { Button } from "@/components/ui/button";
import { tourState } from "./tour-state";

/** Banner of the demo project until the user has started or declined the tour. */
export function TourOffer({ onStarted }: { onStarted: () => void }) {
  const { t } = useTranslation();
  const state = tourState(useUser().id);
  if (state.use() === "over") {
    return null;
  }
  return (
    <aside
      aria-label={t("tour.action")}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-border bg-surface px-4 py-2 text-sm md:px-6"
    >
      <Compass aria-hidden className="size-4 shrink-0 text-accent-ink" />
      <p className="min-w-0 flex-1">{t("tour.offer.text")}</p>
      <div className="flex gap-2">
        <Button variant="ghost" size="sm" onClick={() => state.set("over")}>
          {t("tour.offer.decline")}
        </Button>
        <Button
          size="sm"
          onClick={() => {
            state.set("over");
            onStarted();
          }}
        >
          {t("tour.offer.start")}
        </Button>
      </div>
    </aside>
  );
}
