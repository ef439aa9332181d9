import { Link } from "@tanstack/react-router";
import { SquareTerminal } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EXPORT_FORMATS, exportAddress } from "@/api/run-export";
import type { RunDetail } from "@/api/types";
import { Button } from "@/components/ui/button";
import { DownloadMenu } from "@/components/ui/download-menu";
import type { RunView } from "./run-view";

export interface RunLinksProps {
  slug: string;
  run: RunDetail;
  view: RunView;
}

/** Ways to take a run elsewhere, for everyone who may read it: a file, or the playground. */
export function RunLinks({ slug, run, view: { q, status } }: RunLinksProps) {
  const { t } = useTranslation();
  return (
    <>
      {run.variants.some(({ prompt_id }) => prompt_id !== null) ? (
        <Button variant="secondary" asChild>
          <Link to="/p/$slug/playground" params={{ slug }} search={{ run: run.id }}>
            <SquareTerminal aria-hidden />
            {t("runs.actions.openInPlayground")}
          </Link>
        </Button>
      ) : null}
      {run.done_count === 0 ? null : (
        <DownloadMenu
          label={t("runs.export.action")}
          files={EXPORT_FORMATS.map((format) => ({
            label: t(`runs.export.${format}`),
            address: exportAddress(slug, run.id, format, { q, status }),
          }))}
        />
      )}
    </>
  );
}
