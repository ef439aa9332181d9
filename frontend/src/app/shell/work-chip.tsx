import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CirclePause, CirclePlay } from "lucide-react";
import { useTranslation } from "react-i18next";
import { activeRunsQuery } from "@/features/runs/queries";

/** Indicator of work in progress in the project. */
export function WorkChip({ slug }: { slug: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(activeRunsQuery(slug));
  if (data === undefined || data.working + data.paused === 0) {
    return null;
  }
  const { working, paused } = data;
  const Icon = working > 0 ? CirclePlay : CirclePause;
  const text =
    working > 0
      ? t("runs.chip.working", { count: working })
      : t("runs.chip.paused", { count: paused });
  return (
    <Link
      to="/p/$slug/runs"
      params={{ slug }}
      search={{ active: true }}
      className="flex h-8 items-center gap-1.5 rounded-full border border-border px-2.5 text-xs font-medium whitespace-nowrap text-ink-muted transition-colors hover:border-border-strong hover:text-ink"
    >
      <Icon
        aria-hidden
        className={working > 0 ? "size-3.5 text-accent-ink" : "size-3.5 text-warning"}
      />
      {text}
    </Link>
  );
}
