import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Alert } from "@/components/ui/alert";
import { stuckExperimentsQuery } from "./queries";

/** Experiments that need an edit because there is nothing to approve. */
export function StuckExperiments({ slug }: { slug: string }) {
  const { t } = useTranslation();
  const stuck = useQuery(stuckExperimentsQuery(slug)).data ?? [];
  if (stuck.length === 0) {
    return null;
  }
  return (
    <Alert tone="info" live={false} title={t("reviews.stuck.title", { count: stuck.length })}>
      <p>{t("reviews.stuck.body")}</p>
      <ul className="grid gap-1 pt-2">
        {stuck.map(({ id, name }) => (
          <li key={id}>
            <Link
              to="/p/$slug/reviews/new"
              params={{ slug }}
              search={{ experiment: id }}
              className="rounded-sm font-medium wrap-anywhere underline underline-offset-2"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
