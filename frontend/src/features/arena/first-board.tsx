import { useQuery } from "@tanstack/react-query";
import { Swords } from "lucide-react";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { problemMessage } from "@/api/problem-message";
import type { Project } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { toast } from "@/components/ui/toast";
import { can } from "@/lib/permissions";
import { EMPTY_START, type StartDraft } from "./start/start-draft";
import { SAMPLE_SIZE, useSample } from "./start/use-sample";

export interface FirstBoardProps {
  project: Project;
  editable: boolean;
  /** Opens the start dialog. `isSample`: the dataset was created for it. */
  onStartWanted: (draft: StartDraft, isSample: boolean) => void;
}

/** Empty state: a first board with simulated models and sample questions, or with one's own. */
export function FirstBoard({ project, editable, onStartWanted }: FirstBoardProps) {
  const { t } = useTranslation();
  const models = useQuery(modelsQuery(project.slug));
  const enabled = (models.data ?? []).filter((model) => model.is_enabled);
  const sample = useSample({
    slug: project.slug,
    models: enabled,
    names: { dataset: t("arena.first.dataset"), credential: t("missingModels.label") },
  });
  const hasSample =
    can(project.role, "credentials.manage") ||
    enabled.filter((model) => model.is_simulated).length > 1;
  const body = hasSample ? "arena.first.body" : "arena.first.bodyWithout";
  return (
    <>
      <LoadError queries={[models]} />
      <EmptyState
        icon={<Swords />}
        title={t("arena.first.title")}
        description={t(editable ? body : "arena.first.askEditor", { count: SAMPLE_SIZE })}
        action={
          editable ? (
            <div className="flex flex-wrap justify-center gap-2">
              {hasSample ? (
                <Button
                  loading={sample.isPending}
                  disabled={models.data === undefined}
                  onClick={() =>
                    sample.mutate(undefined, {
                      onSuccess: (draft) => onStartWanted(draft, true),
                      onError: (error) => toast.error(problemMessage(error)),
                    })
                  }
                >
                  {t("arena.first.sample")}
                </Button>
              ) : null}
              <Button
                variant={hasSample ? "secondary" : "primary"}
                onClick={() => onStartWanted(EMPTY_START, false)}
              >
                {t("arena.start.action")}
              </Button>
            </div>
          ) : undefined
        }
      />
    </>
  );
}
