import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Iteration } from "@/api/types";
import { changeOutOfTen } from "@/components/score-scale";
import { LinkTabs } from "@/components/ui/link-tabs";
import { ORIGIN_ICONS, STATES } from "./suggestion-badges";

export interface CandidatesProps {
  slug: string;
  candidates: Iteration["suggestions"];
}

/** All candidates of the iteration, to switch between them. */
export function Candidates({ slug, candidates }: CandidatesProps) {
  const { t } = useTranslation();
  if (candidates.length < 2) {
    return null;
  }
  return (
    <LinkTabs label={t("reviews.candidates")}>
      {candidates.map(({ id, number, origin, state, trial_difference }) => {
        const Icon = state === "pending" ? ORIGIN_ICONS[origin] : STATES[state].Icon;
        return (
          <Link
            key={id}
            to="/p/$slug/reviews/$suggestionId"
            params={{ slug, suggestionId: id }}
            replace
          >
            <span className="flex items-center gap-2">
              <Icon aria-hidden className="size-4" />
              {t("reviews.candidate", { number, origin: t(`reviews.origins.${origin}`) })}
              {trial_difference === null ? null : (
                <span className="text-xs font-normal text-ink-muted tabular-nums">
                  {changeOutOfTen(trial_difference)}
                </span>
              )}
              {state === "pending" ? null : (
                <span className="text-xs font-normal text-ink-subtle">
                  {t(`reviews.states.${state}`)}
                </span>
              )}
            </span>
          </Link>
        );
      })}
    </LinkTabs>
  );
}
