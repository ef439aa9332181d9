import {
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleX,
  PencilLine,
  Ruler,
  Sparkles,
  TriangleAlert,
  UserRound,
  type LucideIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import type { GuardRailViolation, SuggestionState, SuggestionSummary } from "@/api/types";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Tooltip } from "@/components/ui/tooltip";

export const STATES: Record<SuggestionState, { tone: BadgeTone; Icon: LucideIcon }> = {
  pending: { tone: "accent", Icon: CircleDashed },
  approved: { tone: "success", Icon: CircleCheck },
  edited: { tone: "success", Icon: PencilLine },
  rejected: { tone: "danger", Icon: CircleX },
  superseded: { tone: "neutral", Icon: CircleSlash },
};

export function StateBadge({ state }: { state: SuggestionState }) {
  const { t } = useTranslation();
  const { tone, Icon } = STATES[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`reviews.states.${state}`)}
    </Badge>
  );
}

export const ORIGIN_ICONS: Record<SuggestionSummary["origin"], LucideIcon> = {
  refiner: Sparkles,
  rubric: Ruler,
  person: UserRound,
};

/** Origin of a suggestion: the refiner, the rubric baseline, or a user. */
export function OriginBadge({ origin }: { origin: SuggestionSummary["origin"] }) {
  const { t } = useTranslation();
  const Icon = ORIGIN_ICONS[origin];
  return (
    <Badge tone="outline" icon={<Icon aria-hidden />}>
      {t(`reviews.origins.${origin}`)}
    </Badge>
  );
}

const RAILS = [
  "copied_material",
  "frozen_sections",
  "length_change",
  "lines_changed",
  "few_shots",
  "removed_lines",
  "structure",
  "variables",
] as const;

export function useRailName() {
  const { t } = useTranslation();
  return (rail: string) => {
    const known = RAILS.find((name) => name === rail);
    return known === undefined ? rail.replaceAll("_", " ") : t(`reviews.rails.${known}`);
  };
}

/** One badge per exceeded guard rail. */
export function RailBadges({ violations }: { violations: readonly GuardRailViolation[] }) {
  const { t } = useTranslation();
  const nameOf = useRailName();
  return violations.map(({ rail, message }) => (
    <Tooltip key={rail} content={message}>
      <span tabIndex={0} className="inline-flex rounded-full">
        <Badge tone="warning" icon={<TriangleAlert aria-hidden />}>
          <span className="sr-only">{t("reviews.railExceeded")} </span>
          {nameOf(rail)}
        </Badge>
      </span>
    </Tooltip>
  ));
}
