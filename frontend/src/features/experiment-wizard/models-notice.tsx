import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ExternalLink, FlaskConical } from "lucide-react";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { problemMessage } from "@/api/problem-message";
import { useAddSimulatedModels } from "@/api/simulated-models";
import type { Model, Project } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { can } from "@/lib/permissions";

export interface ModelsNoticeProps {
  project: Project;
  /** Called with the added models, the weaker one first. */
  onModelsAdded?: (models: readonly Model[]) => void;
}

/**
 * Shown while the project has no enabled model, without which nothing can be drafted, generated or
 * tested. Offers simulated models; the link to connect a provider opens a new tab, so that unsaved
 * input is kept.
 */
export function ModelsNotice({ project, onModelsAdded }: ModelsNoticeProps) {
  const { t } = useTranslation();
  const { slug } = project;
  const models = useQuery(modelsQuery(slug)).data;
  const add = useAddSimulatedModels(slug);
  if (models === undefined || models.some(({ is_enabled }) => is_enabled)) {
    return null;
  }
  const mayAdd = can(project.role, "credentials.manage");
  return (
    <Alert tone="info" live={false} title={t("wizard.noModels.title")}>
      <div className="grid gap-3">
        <p>{t(mayAdd ? "wizard.noModels.hint" : "wizard.noModels.askAdmin")}</p>
        {mayAdd ? (
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              loading={add.isPending}
              onClick={() =>
                add.mutate(t("wizard.noModels.label"), {
                  onSuccess: (added) => {
                    toast.success(t("wizard.noModels.added", { count: added.length }));
                    onModelsAdded?.(added);
                  },
                  onError: (error) => toast.error(problemMessage(error)),
                })
              }
            >
              <FlaskConical aria-hidden />
              {t("wizard.noModels.simulated")}
            </Button>
            <Button asChild variant="secondary" size="sm">
              <Link to="/p/$slug/settings/providers" params={{ slug }} target="_blank">
                <ExternalLink aria-hidden />
                {t("wizard.noModels.connect")}
              </Link>
            </Button>
          </div>
        ) : null}
      </div>
    </Alert>
  );
}
