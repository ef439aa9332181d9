import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { LinkTabs } from "./ui/link-tabs";

const TAB = { exact: true, includeSearch: false } as const;

/** Tabs of the two lists of monitoring. */
export function MonitorTabs({ slug }: { slug: string }) {
  const { t } = useTranslation();
  return (
    <LinkTabs label={t("monitors.title")}>
      <Link to="/p/$slug/monitors" params={{ slug }} activeOptions={TAB}>
        {t("monitors.title")}
      </Link>
      <Link to="/p/$slug/monitors/alerts" params={{ slug }} activeOptions={TAB}>
        {t("alerts.title")}
      </Link>
    </LinkTabs>
  );
}
