import { Link } from "@tanstack/react-router";
import { PencilLine } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Iteration } from "@/api/types";
import { Button } from "@/components/ui/button";

/** Link to the page for writing an own edit. */
export function OwnEditLink({ slug, iteration }: { slug: string; iteration: Iteration }) {
  const { t } = useTranslation();
  return (
    <Button asChild size="sm" variant="secondary">
      <Link
        to="/p/$slug/reviews/new"
        params={{ slug }}
        search={{ experiment: iteration.experiment_id }}
      >
        <PencilLine aria-hidden />
        {t("iterations.own")}
      </Link>
    </Button>
  );
}
