import { Link } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { bundleAddress } from "@/api/bundles";
import type { Project } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { DownloadMenu } from "@/components/ui/download-menu";
import { can } from "@/lib/permissions";

/** Export of the project, and the way to imports. */
export function BundleCard({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { slug } = project;
  const mayImport = can(project.role, "settings.edit") && typeof project.archived_at !== "string";
  return (
    <Card aria-labelledby="bundles-heading">
      <CardHeader
        id="bundles-heading"
        title={t("settings.bundles.title")}
        description={t("settings.bundles.description")}
      />
      <CardContent className="flex flex-wrap gap-3">
        <DownloadMenu
          label={t("settings.bundles.export")}
          files={[
            {
              label: t("settings.bundles.withoutRuns"),
              address: bundleAddress(slug, { kind: "project" }),
            },
            {
              label: t("settings.bundles.withRuns"),
              address: bundleAddress(slug, { kind: "project", runs: true }),
            },
          ]}
        />
        {mayImport ? (
          <Button asChild variant="secondary">
            <Link to="/p/$slug/import" params={{ slug }}>
              <FileUp aria-hidden />
              {t("settings.bundles.import")}
            </Link>
          </Button>
        ) : null}
      </CardContent>
    </Card>
  );
}
