import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { SavedScorerSummary } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { CardHead } from "./card-head";
import { CostBadge } from "./cost-badge";

export interface SavedScorerHeadProps {
  slug: string;
  scorer: SavedScorerSummary;
  onRemoved: () => void;
}

/** Header of a saved scorer: version, cost and link. */
export function SavedScorerHead({ slug, scorer, onRemoved }: SavedScorerHeadProps) {
  const { t } = useTranslation();
  return (
    <CardHead
      title={scorer.name}
      description={
        <>
          {scorer.kind_title} ·{" "}
          <Link
            to="/p/$slug/scorers/$scorerId"
            params={{ slug, scorerId: scorer.id }}
            className="rounded-sm text-accent-ink hover:underline"
          >
            {t("runs.new.openScorer")}
            <span className="sr-only"> {scorer.name}</span>
          </Link>
        </>
      }
      badges={
        <>
          <Badge tone="outline">{scorer.latest.label}</Badge>
          <CostBadge cost={scorer.cost_class} />
        </>
      }
      onRemoved={onRemoved}
    />
  );
}
