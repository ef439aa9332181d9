import { Link, Outlet } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { LinkTabs } from "@/components/ui/link-tabs";
import { PageHeader } from "@/components/ui/page-header";
import { useProject } from "../project-context";

/** Layout shared by the settings pages. */
export function SettingsLayout() {
  const { t } = useTranslation();
  const params = { slug: useProject().slug };
  return (
    <div className="grid gap-6">
      <PageHeader title={t("settings.title")} description={t("settings.description")} />
      <LinkTabs label={t("settings.sections")}>
        <Link to="/p/$slug/settings" params={params} activeOptions={{ exact: true }}>
          {t("settings.general.title")}
        </Link>
        <Link
          to="/p/$slug/settings/providers"
          params={params}
          activeOptions={{ includeSearch: false }}
        >
          {t("providers.title")}
        </Link>
        <Link to="/p/$slug/settings/destinations" params={params}>
          {t("destinations.title")}
        </Link>
      </LinkTabs>
      <Outlet />
    </div>
  );
}
