import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { AnnotationQueue, Project } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import { FormSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { AnnotationWork } from "./annotation-work";
import { NothingToScore, type NoWorkReason } from "./nothing-to-score";
import { queueQuery } from "./queries";
import { QueueBadge } from "./queue-badge";
import type { TextForm } from "./text-forms";

export interface AnnotatePageProps {
  project: Project;
  queueId: string;
  form: TextForm;
  onFormChanged: (form: TextForm) => void;
}

function ResultsLink({ project, queue }: { project: Project; queue: AnnotationQueue }) {
  const { t } = useTranslation();
  if (!can(project.role, "annotation.manage")) {
    return null;
  }
  return (
    <Button asChild variant="secondary">
      <Link
        to="/p/$slug/annotation/$queueId/results"
        params={{ slug: project.slug, queueId: queue.id }}
      >
        {t("annotation.results.open")}
      </Link>
    </Button>
  );
}

function QueueProgress({ queue }: { queue: AnnotationQueue }) {
  const { t } = useTranslation();
  const { progress } = queue;
  const share = (100 * progress.answers) / Math.max(1, progress.wanted_answers);
  return (
    <div className="grid gap-1.5">
      <Progress label={t("annotation.progressOf", { name: queue.name })} value={share} />
      <p className="flex flex-wrap justify-between gap-x-6 text-xs text-ink-muted tabular-nums">
        <span>
          {t("annotation.answersOf", { done: progress.answers, total: progress.wanted_answers })}
        </span>
        <span>
          {t("annotation.mine", { count: progress.my_answers })}
          {" · "}
          {t("annotation.left", { count: progress.left_for_me })}
        </span>
      </p>
    </div>
  );
}

function noWorkReason(project: Project, queue: AnnotationQueue): NoWorkReason | null {
  if (queue.state !== "open") {
    return queue.state;
  }
  if (!can(project.role, "outputs.score") || project.archived_at !== null) {
    return "viewer";
  }
  return queue.is_for_me ? null : "notAsked";
}

function Instructions({ queue }: { queue: AnnotationQueue }) {
  return queue.instructions === null ? null : (
    <p className="max-w-3xl text-sm wrap-anywhere whitespace-pre-wrap text-ink-muted">
      {queue.instructions}
    </p>
  );
}

/** Annotation page of a queue: read, score, next. Fully usable by keyboard. */
export function AnnotatePage(props: AnnotatePageProps) {
  const { project, queueId } = props;
  const { t } = useTranslation();
  const queue = useQuery(queueQuery(project.slug, queueId));
  useDocumentTitle(queue.data?.name ?? t("annotation.title"), project.name);
  if (queue.isPending) {
    return <FormSkeleton fields={4} />;
  }
  if (queue.isError) {
    return <ProblemState isPage error={queue.error} onRetry={() => void queue.refetch()} />;
  }
  const reason = noWorkReason(project, queue.data);
  return (
    <div className="grid grid-cols-1 gap-5">
      <BackLink to="/p/$slug/annotation" slug={project.slug}>
        {t("annotation.back")}
      </BackLink>
      <PageHeader
        title={queue.data.name}
        badges={<QueueBadge state={queue.data.state} />}
        actions={<ResultsLink project={project} queue={queue.data} />}
      />
      <Instructions queue={queue.data} />
      <QueueProgress queue={queue.data} />
      {reason === null ? (
        <AnnotationWork
          slug={project.slug}
          queueId={queueId}
          form={props.form}
          onFormChanged={props.onFormChanged}
          results={<ResultsLink project={project} queue={queue.data} />}
        />
      ) : (
        <NothingToScore reason={reason} />
      )}
    </div>
  );
}
