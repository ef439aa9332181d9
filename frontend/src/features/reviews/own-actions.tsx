import { RefreshCw, SkipForward } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { IterationSummary, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { Markdown } from "@/components/markdown";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { atLeast } from "@/lib/permissions";
import { ITERATION, ownOptions, pathOf, type IterationPlace } from "./own-queries";

/** Why there is nothing to approve: no change was needed, or none was produced. */
export function NoSuggestionReason({ iteration }: { iteration: IterationSummary }) {
  const { t } = useTranslation();
  const { problem, message, refinement } = iteration;
  const isFine = problem === "no_suggestion";
  return (
    <>
      {message === null ? null : (
        <Alert
          live={false}
          tone={isFine ? "info" : "warning"}
          title={isFine ? t("reviews.own.noChange") : t("reviews.own.failed")}
        >
          {message}
        </Alert>
      )}
      {refinement !== null && refinement.unchanged.length > 0 ? (
        <Card>
          <CardHeader title={t("reviews.own.refinerSays")} />
          <CardContent className="grid gap-3 text-sm">
            {refinement.unchanged.map((note) => (
              <Markdown key={note} text={note} />
            ))}
          </CardContent>
        </Card>
      ) : null}
    </>
  );
}

export interface OtherActionsProps {
  project: Project;
  iteration: IterationSummary;
  place: IterationPlace;
}

/** Alternatives to writing an edit. */
export function OtherActions({ project, iteration, place }: OtherActionsProps) {
  const { t } = useTranslation();
  const options = ownOptions(place.slug);
  const refine = useChange("post", `${ITERATION}/refine`, pathOf(place), options);
  const close = useChange("post", `${ITERATION}/close`, pathOf(place), options);
  if (!atLeast(project.role, "EDITOR") || project.archived_at !== null) {
    return null;
  }
  const onError = (error: unknown) => toast.error(problemMessage(error));
  return (
    <div className="flex flex-wrap gap-2">
      {iteration.actions.includes("refine") ? (
        <Button
          variant="secondary"
          loading={refine.isPending}
          onClick={() =>
            refine.mutate(undefined, {
              onError,
              onSuccess: () => toast.success(t("reviews.own.refining")),
            })
          }
        >
          <RefreshCw aria-hidden />
          {t("reviews.own.refineAgain")}
        </Button>
      ) : null}
      <Button
        variant="ghost"
        loading={close.isPending}
        onClick={() =>
          close.mutate(undefined, {
            onError,
            onSuccess: () => toast.success(t("reviews.own.closed")),
          })
        }
      >
        <SkipForward aria-hidden />
        {t("reviews.own.close")}
      </Button>
    </div>
  );
}
