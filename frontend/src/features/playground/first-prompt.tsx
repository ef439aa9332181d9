import { MessageSquareText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Model, Project } from "@/api/types";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { toast } from "@/components/ui/toast";
import { can } from "@/lib/permissions";
import { useExampleStart, type Started } from "./example-start";

export interface FirstPromptProps {
  project: Project;
  models: readonly Model[];
  allowed: boolean;
  onCreateWanted: () => void;
  onStarted: (started: Started) => void;
}

/** Empty state of a project without prompts: run an example, or create a prompt. */
export function FirstPrompt(props: FirstPromptProps) {
  const { project, models, allowed, onCreateWanted, onStarted } = props;
  const { t } = useTranslation();
  const needsModels = !models.some((model) => model.is_enabled);
  const example = useExampleStart({
    slug: project.slug,
    models,
    label: t("missingModels.label"),
  });
  const hasExample = !needsModels || can(project.role, "credentials.manage");
  // The page shows the prompt as soon as it exists, in place of this component.
  const start = () =>
    void example
      .mutateAsync(undefined)
      .then(onStarted, (error: unknown) => toast.error(problemMessage(error)));
  const hint = needsModels ? "playground.noPrompt.bodySimulated" : "playground.noPrompt.body";
  return (
    <div className="p-5">
      <h1 className="sr-only">{t("playground.title")}</h1>
      <EmptyState
        icon={<MessageSquareText />}
        title={t("playground.noPrompt.title")}
        description={t(
          !allowed
            ? "playground.noPrompt.ask"
            : hasExample
              ? hint
              : "playground.noPrompt.bodyWithout",
        )}
        action={
          allowed ? (
            <div className="flex flex-wrap justify-center gap-2">
              {hasExample ? (
                <Button loading={example.isPending} onClick={start}>
                  {t("playground.noPrompt.example")}
                </Button>
              ) : null}
              <Button variant={hasExample ? "secondary" : "primary"} onClick={onCreateWanted}>
                {t("playground.prompt.create")}
              </Button>
            </div>
          ) : undefined
        }
      />
    </div>
  );
}
