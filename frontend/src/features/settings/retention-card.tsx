import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import type { components } from "@/api/schema.gen";
import type { Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardFooter, CardHeader } from "@/components/ui/card";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { can } from "@/lib/permissions";
import { retentionQuery } from "./queries";

type Retention = components["schemas"]["RetentionRead"];

function Part({ part, label }: { part: Retention["to_delete"]; label: string }) {
  const { t } = useTranslation();
  const names = part.names.join(", ");
  return (
    <div className="grid gap-0.5">
      <dt className="text-ink-muted">{label}</dt>
      <dd>
        {part.runs === 0
          ? t("retention.none")
          : t("retention.runs", { count: part.runs, cells: part.cells })}
        {names === "" ? null : (
          <span className="block truncate text-xs text-ink-muted" title={names}>
            {part.runs > part.names.length ? t("retention.andMore", { names }) : names}
          </span>
        )}
      </dd>
    </div>
  );
}

function Preview({ retention }: { retention: Retention }) {
  const { t } = useTranslation();
  return (
    <>
      <dl className="grid gap-4 text-sm sm:grid-cols-2">
        <Part part={retention.to_archive} label={t("retention.toArchive")} />
        <Part part={retention.to_delete} label={t("retention.toDelete")} />
      </dl>
      <p className="text-sm text-ink-muted">
        {t("retention.stay", {
          kept: t("retention.kept", { count: retention.kept_runs }),
          evidence: t("retention.evidence", { count: retention.evidence_runs }),
        })}
      </p>
    </>
  );
}

/** What becomes of the project's old runs, and the question whether it shall. */
export function RetentionCard({ project }: { project: Project }) {
  const { slug } = project;
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(retentionQuery(slug));
  const confirm = useChange(
    "post",
    "/projects/{project}/retention/confirm",
    { project: slug },
    { refresh: [keys.retention(slug), keys.audit(slug)] },
  );
  const isWaiting = data?.confirmed_at === null && data.retention_days > 0;
  const mayConfirm =
    isWaiting && can(project.role, "settings.edit") && project.archived_at === null;
  return (
    <Card aria-labelledby="retention-heading">
      <CardHeader
        id="retention-heading"
        title={t("retention.title")}
        description={t("retention.description")}
      />
      <CardContent className="grid gap-5">
        {error === null ? null : <ProblemState error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null ? <FormSkeleton /> : null}
        {isWaiting ? (
          <Alert tone="info" live={false}>
            {t("retention.waiting")}
          </Alert>
        ) : null}
        {data === undefined ? null : data.retention_days === 0 ? (
          <p className="text-sm text-ink-muted">{t("retention.forever")}</p>
        ) : (
          <Preview retention={data} />
        )}
      </CardContent>
      {mayConfirm ? (
        <CardFooter>
          <Button
            variant="secondary"
            className="max-sm:h-auto max-sm:shrink max-sm:py-1.5 max-sm:whitespace-normal"
            loading={confirm.isPending}
            onClick={() =>
              confirm.mutate(
                {},
                {
                  onSuccess: () => toast.success(t("retention.confirmed")),
                  onError: (problem) => toast.error(problemMessage(problem)),
                },
              )
            }
          >
            {t("retention.confirm", { archive: data.archive_days, days: data.retention_days })}
          </Button>
        </CardFooter>
      ) : null}
    </Card>
  );
}
