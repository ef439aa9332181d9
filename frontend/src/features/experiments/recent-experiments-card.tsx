import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ListCard } from "@/components/list-card";
import { BestScore } from "./best-score";
import { recentExperimentsQuery } from "./queries";
import { StateBadge } from "./state-badge";

const EXPERIMENT = "/p/$slug/experiments/$experimentId";

/** The experiments that changed last with their verdicts, for the project's home page. */
export function RecentExperimentsCard({ slug }: { slug: string }) {
  const { t } = useTranslation();
  return (
    <ListCard
      title={t("experiments.recent.title")}
      query={useQuery(recentExperimentsQuery(slug))}
      empty={t("experiments.recent.empty")}
      actions={
        <Link
          to="/p/$slug/experiments"
          params={{ slug }}
          className="rounded-sm text-sm text-accent-ink hover:underline"
        >
          {t("experiments.recent.all")}
        </Link>
      }
      row={(experiment) => (
        <li key={experiment.id} className="flex items-center gap-3 px-5 py-3">
          <span className="grid min-w-0 flex-1 justify-items-start gap-1">
            <Link
              to={experiment.state === "draft" ? `${EXPERIMENT}/setup` : EXPERIMENT}
              params={{ slug, experimentId: experiment.id }}
              title={experiment.name}
              className="max-w-full truncate rounded-sm text-sm font-medium hover:text-accent-ink hover:underline"
            >
              {experiment.name}
            </Link>
            <StateBadge state={experiment.state} />
          </span>
          <BestScore experiment={experiment} />
        </li>
      )}
    />
  );
}
