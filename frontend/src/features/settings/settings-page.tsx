import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { FormSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { BundleCard } from "./bundle-card";
import { DangerZone } from "./danger-zone";
import { GeneralForm } from "./general-form";
import { settingsQuery } from "./queries";
import { RetentionCard } from "./retention-card";
import { SecurityCard } from "./security-card";
import { SettingsForm } from "./settings-form";

export interface SettingsPageProps {
  project: Project;
  onProjectRenamed: (project: Project) => void;
  onProjectDeleted: () => void;
}

export function SettingsPage({ project, onProjectRenamed, onProjectDeleted }: SettingsPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("settings.title"), project.name);
  const settings = useQuery(settingsQuery(project.slug));
  const editable = can(project.role, "settings.edit");
  return (
    <div className="grid max-w-3xl gap-6">
      {editable ? null : (
        <Alert tone="info" live={false}>
          {t("settings.readOnly")}
        </Alert>
      )}
      <GeneralForm project={project} onProjectRenamed={onProjectRenamed} />
      {settings.isPending ? (
        <FormSkeleton />
      ) : settings.isError ? (
        <ProblemState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <SettingsForm slug={project.slug} settings={settings.data} editable={editable} />
      )}
      <RetentionCard project={project} />
      <SecurityCard project={project} />
      <BundleCard project={project} />
      <DangerZone project={project} onProjectDeleted={onProjectDeleted} />
    </div>
  );
}
