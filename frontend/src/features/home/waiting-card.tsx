import { Link, type LinkProps } from "@tanstack/react-router";
import {
  CircleCheck,
  CircleX,
  GitPullRequestArrow,
  PenLine,
  Vote,
  type LucideIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatNumber } from "@/lib/format";
import { withoutListMarks } from "@/lib/markdown";
import type { Waiting, WaitingItem } from "./queries";

type Kind = Waiting["kind"];
type Target = Pick<LinkProps, "to" | "params">;

interface Look {
  Icon: LucideIcon;
  /** Page of one item, and of all. */
  one: (slug: string, id: string) => Target;
  all: (slug: string) => Target;
}

const LOOKS: Record<Kind, Look> = {
  review: {
    Icon: GitPullRequestArrow,
    one: (slug, suggestionId) => ({
      to: "/p/$slug/reviews/$suggestionId",
      params: { slug, suggestionId },
    }),
    all: (slug) => ({ to: "/p/$slug/reviews", params: { slug } }),
  },
  failed_run: {
    Icon: CircleX,
    one: (slug, runId) => ({ to: "/p/$slug/runs/$runId", params: { slug, runId } }),
    all: (slug) => ({ to: "/p/$slug/runs", params: { slug } }),
  },
  voting: {
    Icon: Vote,
    one: (slug, roundId) => ({ to: "/p/$slug/arena/voting/$roundId", params: { slug, roundId } }),
    all: (slug) => ({ to: "/p/$slug/arena/voting", params: { slug } }),
  },
  annotation: {
    Icon: PenLine,
    one: (slug, queueId) => ({ to: "/p/$slug/annotation/$queueId", params: { slug, queueId } }),
    all: (slug) => ({ to: "/p/$slug/annotation", params: { slug } }),
  },
};

function Item({ slug, kind, item }: { slug: string; kind: Kind; item: WaitingItem }) {
  const { t } = useTranslation();
  const { Icon, one } = LOOKS[kind];
  const detail =
    item.open_count === null
      ? withoutListMarks(item.note ?? "")
      : t("home.waiting.left", { count: item.open_count });
  return (
    <li className="last:[&>a]:rounded-b-xl">
      <Link
        {...one(slug, item.id)}
        className="group flex items-center gap-3 px-5 py-3 -outline-offset-2 transition-colors hover:bg-surface"
      >
        <Icon aria-hidden className="size-4 shrink-0 text-ink-muted" />
        <span className="grid min-w-0 flex-1">
          <span className="truncate text-sm font-medium" title={item.title}>
            {item.title}
          </span>
          <span className="truncate text-xs text-ink-muted" title={item.note ?? undefined}>
            {[t(`home.waiting.kinds.${kind}.one`), detail].filter(Boolean).join(" · ")}
          </span>
        </span>
        <RelativeTime iso={item.since} className="shrink-0 text-xs text-ink-muted max-sm:hidden" />
      </Link>
    </li>
  );
}

/** What waits for the reader: reviews, failed runs, votes, answers to score. */
export function WaitingCard({ slug, waiting }: { slug: string; waiting: readonly Waiting[] }) {
  const { t } = useTranslation();
  const total = waiting.reduce((sum, { count }) => sum + count, 0);
  const more = waiting.filter(({ count, items }) => count > items.length);
  return (
    <Card aria-labelledby="waiting-heading" className="min-w-0">
      <CardHeader
        id="waiting-heading"
        title={t("home.waiting.title")}
        actions={total === 0 ? null : <Badge tone="accent">{formatNumber(total)}</Badge>}
      />
      {total === 0 ? (
        <p className="flex items-center gap-2 px-5 pt-2 pb-5 text-sm text-ink-muted">
          <CircleCheck aria-hidden className="size-4 text-success" />
          {t("home.waiting.nothing")}
        </p>
      ) : (
        <ul className="mt-3 divide-y divide-border border-t border-border">
          {waiting.flatMap(({ kind, items }) =>
            items.map((item) => <Item key={item.id} slug={slug} kind={kind} item={item} />),
          )}
          {more.map(({ kind, count }) => (
            <li key={kind} className="px-5 py-2.5">
              <Link
                {...LOOKS[kind].all(slug)}
                className="rounded-sm text-sm text-accent-ink hover:underline"
              >
                {t(`home.waiting.kinds.${kind}.all`, { count })}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
