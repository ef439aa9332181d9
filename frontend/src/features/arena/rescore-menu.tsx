import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Scale } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/dropdown-menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { scorableRunsQuery } from "./queries";

export interface RescoreMenuProps {
  slug: string;
  datasetIds: readonly string[];
}

/** The newest runs of the board, each to be scored again on its page. */
export function RescoreMenu({ slug, datasetIds }: RescoreMenuProps) {
  const { t } = useTranslation();
  const found = useQueries({ queries: datasetIds.map((id) => scorableRunsQuery(slug, id)) });
  const runs = found
    .flatMap(({ data }) => data ?? [])
    .sort((one, other) => other.created_at.localeCompare(one.created_at));
  if (runs.length === 0) {
    return null;
  }
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="sm">
          <Scale aria-hidden />
          {t("arena.rescore")}
        </Button>
      }
    >
      {runs.map((run) => (
        <MenuItem key={run.id} asChild>
          <Link
            to="/p/$slug/runs/$runId"
            params={{ slug, runId: run.id }}
            search={{ rescore: true }}
          >
            <span className="grid max-w-72">
              <span className="truncate">{run.name}</span>
              <RelativeTime iso={run.created_at} className="text-xs text-ink-muted" />
            </span>
          </Link>
        </MenuItem>
      ))}
    </Menu>
  );
}
