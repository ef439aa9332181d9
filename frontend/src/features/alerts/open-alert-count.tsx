import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn";
import { openCountQuery } from "./queries";

const MOST_SHOWN = 99;

/** Number of open alerts beside the navigation entry; renders nothing when zero. */
export function OpenAlertCount({ slug, rail }: { slug: string; rail: boolean }) {
  const { t } = useTranslation();
  const count = useQuery(openCountQuery(slug)).data ?? 0;
  if (count === 0) {
    return null;
  }
  return (
    <span
      className={cn(
        "flex h-5 min-w-5 items-center justify-center rounded-full bg-danger-bg px-1.5 text-xs font-medium text-danger tabular-nums",
        rail ? "absolute -top-1 -right-1 h-4 min-w-4 px-1 text-[10px]" : "ml-auto",
      )}
    >
      <span aria-hidden>{count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}</span>
      <span className="sr-only">{t("alerts.openCount", { count })}</span>
    </span>
  );
}
