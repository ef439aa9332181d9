import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import type { Model, Project } from "@/api/types";
import { MissingModelsActions } from "@/components/missing-models";
import { Alert } from "@/components/ui/alert";
import { can } from "@/lib/permissions";

export interface ModelsNoticeProps {
  project: Project;
  /** Called with the added models, the weaker one first. */
  onModelsAdded?: (models: readonly Model[]) => void;
}

/**
 * Shown while the project has no enabled model, without which nothing can be drafted, generated or
 * tested.
 */
export function ModelsNotice({ project, onModelsAdded }: ModelsNoticeProps) {
  const { t } = useTranslation();
  const { slug } = project;
  const models = useQuery(modelsQuery(slug)).data;
  if (models === undefined || models.some(({ is_enabled }) => is_enabled)) {
    return null;
  }
  const mayAdd = can(project.role, "credentials.manage");
  return (
    <Alert tone="info" live={false} title={t("wizard.noModels.title")}>
      <div className="grid gap-3">
        <p>{t(mayAdd ? "wizard.noModels.hint" : "wizard.noModels.askAdmin")}</p>
        {mayAdd ? <MissingModelsActions slug={slug} onModelsAdded={onModelsAdded} /> : null}
      </div>
    </Alert>
  );
}
