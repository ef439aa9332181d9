import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";

export interface BackLinkProps {
  to:
    | "/p/$slug/prompts"
    | "/p/$slug/datasets"
    | "/p/$slug/scorers"
    | "/p/$slug/annotation"
    | "/p/$slug/arena/voting"
    | "/p/$slug/arena/questions"
    | "/p/$slug/experiments"
    | "/p/$slug/monitors"
    | "/p/$slug/ab-tests"
    | "/p/$slug/optimizations"
    | "/p/$slug/reviews";
  slug: string;
  children: string;
}

/** Link from a detail page back to its list. */
export function BackLink({ to, slug, children }: BackLinkProps) {
  return (
    <Link
      to={to}
      params={{ slug }}
      className="flex items-center gap-1.5 justify-self-start rounded-sm text-xs text-ink-muted hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-3.5" />
      {children}
    </Link>
  );
}
