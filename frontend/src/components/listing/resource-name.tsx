import { Archive } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "@/components/ui/badge";

/** Link style of a resource name. */
export const NAME_LINK =
  "min-w-0 justify-self-start rounded-sm font-medium wrap-anywhere hover:text-accent-ink hover:underline";

export function ArchivedBadge() {
  const { t } = useTranslation();
  return (
    <Badge tone="warning" icon={<Archive aria-hidden />}>
      {t("lists.statuses.archived")}
    </Badge>
  );
}

export interface ResourceNameProps {
  /** Link and badges. */
  children: ReactNode;
  isArchived?: boolean;
  /** Text below the name. */
  note?: ReactNode;
}

/** First column of a list: the name as a link, badges and an optional note. */
export function ResourceName({ children, isArchived = false, note }: ResourceNameProps) {
  return (
    <span className="grid min-w-0 gap-0.5 text-left">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        {children}
        {isArchived ? <ArchivedBadge /> : null}
      </span>
      {note === undefined || note === null || note === "" ? null : (
        <span className="line-clamp-2 max-w-prose text-xs wrap-anywhere text-ink-muted">
          {note}
        </span>
      )}
    </span>
  );
}
