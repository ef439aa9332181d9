import { Link } from "@tanstack/react-router";
import { Activity, Download, Ellipsis, FlaskConical, Link2, ListChecks } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/dropdown-menu";
import { toast } from "@/components/ui/toast";
import { exportAddress } from "./queries";
import { filtersOf, sharedView, type PlaygroundView } from "./view";

export interface MoreMenuProps {
  slug: string;
  runId: string | null;
  view: PlaygroundView;
  shareAddress: (view: PlaygroundView) => string;
}

const FORMATS = ["csv", "json"] as const;
/** What a run will become once those parts are there. */
const LATER = [
  { key: "experiment", Icon: FlaskConical },
  { key: "monitor", Icon: Activity },
] as const;

/** What can be made of the shown run. */
export function MoreMenu({ slug, runId, view, shareAddress }: MoreMenuProps) {
  const { t } = useTranslation();
  const share = async (id: string) => {
    try {
      await navigator.clipboard.writeText(shareAddress(sharedView(view, id)));
      toast.success(t("playground.share.done"), { duration: 3000 });
    } catch {
      toast.error(t("ui.copyFailed"));
    }
  };
  return (
    <Menu
      className="w-64"
      trigger={
        <Button variant="ghost" size="sm" iconOnly aria-label={t("playground.more.label")}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {runId === null ? (
        <MenuItem disabled>{t("playground.more.nothing")}</MenuItem>
      ) : (
        <>
          <MenuItem onSelect={() => void share(runId)}>
            <Link2 aria-hidden />
            {t("playground.share.action")}
          </MenuItem>
          {FORMATS.map((format) => (
            <MenuItem key={format} asChild>
              <a href={exportAddress(slug, runId, format, filtersOf(view))} download>
                <Download aria-hidden />
                {t(`playground.more.${format}`)}
              </a>
            </MenuItem>
          ))}
          <MenuSeparator />
          <MenuItem asChild>
            <Link to="/p/$slug/runs/$runId" params={{ slug, runId }}>
              <ListChecks aria-hidden />
              {t("playground.more.run")}
            </Link>
          </MenuItem>
        </>
      )}
      <MenuLabel>{t("playground.more.later")}</MenuLabel>
      {LATER.map(({ key, Icon }) => (
        <MenuItem key={key} disabled>
          <Icon aria-hidden />
          {t(`playground.more.${key}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
