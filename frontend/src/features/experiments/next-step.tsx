import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileText, GitPullRequestArrow, Play, RadioTower, Settings2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { Experiment } from "@/api/types";
import { useChange } from "@/api/use-change";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EXPERIMENT, readinessQuery } from "./queries";
import { nextStepOf, type NextStep } from "./situation";

export interface NextStepCardProps {
  slug: string;
  experiment: Experiment;
  editable: boolean;
  mayReview: boolean;
  onIterationOpened: (iterationId: string) => void;
}

interface FrameProps {
  title: string;
  body: ReactNode;
  action: ReactNode;
  children?: ReactNode;
}

function Frame({ title, body, action, children }: FrameProps) {
  const { t } = useTranslation();
  return (
    <Card variant="elevated" aria-label={t("experiments.next.label")} className="grid gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
        <div className="grid min-w-0 flex-1 basis-80 gap-1">
          <h2 className="text-base font-semibold">{title}</h2>
          <div className="text-sm text-pretty wrap-anywhere text-ink-muted">{body}</div>
        </div>
        <div className="flex flex-wrap items-center gap-2">{action}</div>
      </div>
      {children}
    </Card>
  );
}

function SetupLink({ slug, experiment, words }: NextStepCardProps & { words: string }) {
  return (
    <Button asChild variant={experiment.state === "draft" ? "primary" : "secondary"}>
      <Link
        to="/p/$slug/experiments/$experimentId/setup"
        params={{ slug, experimentId: experiment.id }}
      >
        <Settings2 aria-hidden />
        {words}
      </Link>
    </Button>
  );
}

function Reasons({ messages }: { messages: readonly string[] }) {
  const { t } = useTranslation();
  if (messages.length === 0) {
    return null;
  }
  return (
    <Alert tone="warning" title={t("experiments.next.notReady")}>
      <ul className="list-disc pl-4">
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Alert>
  );
}

type StartStep = Extract<NextStep, { kind: "start" }>;

function Start(props: NextStepCardProps & { step: StartStep }) {
  const { slug, experiment, editable, step, onIterationOpened } = props;
  const { t } = useTranslation();
  const readiness = useQuery({ ...readinessQuery(slug, experiment.id), enabled: editable });
  const start = useChange(
    "post",
    `${EXPERIMENT}/iterations`,
    { project: slug, experiment_id: experiment.id, body: {} },
    { always: true },
  );
  // NOT_READY is omitted: the reasons are refetched and listed.
  const refused = start.isError && asProblem(start.error).code !== "NOT_READY" ? start.error : null;
  const words = { number: step.number };
  return (
    <Frame
      title={
        step.failed === null
          ? t("experiments.next.start.title", words)
          : t("experiments.next.start.failed", { number: step.failed.number })
      }
      body={
        <>
          {step.failed?.message ?? t("experiments.next.start.body")}
          {experiment.is_changed ? ` ${t("experiments.next.start.changed")}` : null}
        </>
      }
      action={
        editable ? (
          <>
            {experiment.is_changed ? (
              <SetupLink {...props} words={t("experiments.next.confirm")} />
            ) : null}
            <Button
              disabled={readiness.data?.is_ready !== true}
              loading={start.isPending}
              onClick={() =>
                start.mutate(undefined, { onSuccess: ({ id }) => onIterationOpened(id) })
              }
            >
              <Play aria-hidden />
              {t("experiments.next.start.action", words)}
            </Button>
          </>
        ) : null
      }
    >
      <Reasons messages={readiness.data?.reasons.map(({ message }) => message) ?? []} />
      {refused === null ? null : <Alert tone="danger">{problemMessage(refused)}</Alert>}
      {readiness.isError ? <Alert tone="danger">{problemMessage(readiness.error)}</Alert> : null}
    </Frame>
  );
}

function IterationLink(props: NextStepCardProps & { iterationId: string; words: string }) {
  return (
    <Button asChild>
      <Link
        to="/p/$slug/experiments/$experimentId/iterations/$iterationId"
        params={{
          slug: props.slug,
          experimentId: props.experiment.id,
          iterationId: props.iterationId,
        }}
      >
        <RadioTower aria-hidden />
        {props.words}
      </Link>
    </Button>
  );
}

function Setup(props: NextStepCardProps) {
  const { t } = useTranslation();
  const { problems } = props.experiment;
  return (
    <Frame
      title={t("experiments.next.setup.title")}
      body={t("experiments.next.setup.body", { count: problems.length })}
      action={
        props.editable ? <SetupLink {...props} words={t("experiments.next.setup.action")} /> : null
      }
    />
  );
}

function Review(props: NextStepCardProps & { suggestionId: string; number: number }) {
  const { slug, experiment, mayReview, suggestionId, number } = props;
  const { t } = useTranslation();
  const count = experiment.waiting_suggestions;
  return (
    <Frame
      title={t("experiments.next.review.title", { count })}
      body={t("experiments.next.review.body", { number })}
      action={
        <Button asChild variant={mayReview ? "primary" : "secondary"}>
          <Link to="/p/$slug/reviews/$suggestionId" params={{ slug, suggestionId }}>
            <GitPullRequestArrow aria-hidden />
            {t(mayReview ? "experiments.next.review.action" : "experiments.next.review.look")}
          </Link>
        </Button>
      }
    />
  );
}

function Report(props: NextStepCardProps) {
  const { slug, experiment, editable } = props;
  const { t } = useTranslation();
  return (
    <Frame
      title={t("experiments.next.report.title")}
      body={experiment.stop?.message ?? t("experiments.next.report.body")}
      action={
        <>
          {editable ? <SetupLink {...props} words={t("experiments.next.report.goOn")} /> : null}
          <Button asChild>
            <Link
              to="/p/$slug/experiments/$experimentId/report"
              params={{ slug, experimentId: experiment.id }}
            >
              <FileText aria-hidden />
              {t("experiments.next.report.action")}
            </Link>
          </Button>
        </>
      }
    />
  );
}

/** State of the experiment and its next action. */
export function NextStepCard(props: NextStepCardProps) {
  const { t } = useTranslation();
  const step = nextStepOf(props.experiment);
  switch (step.kind) {
    case "archived":
      return <Alert tone="warning">{t("experiments.next.archived")}</Alert>;
    case "setup":
      return <Setup {...props} />;
    case "start":
      return <Start {...props} step={step} />;
    case "report":
      return <Report {...props} />;
    case "review":
      return <Review {...props} suggestionId={step.suggestionId} number={step.iteration.number} />;
    default: {
      const { iteration, kind } = step;
      const body = t(`experiments.next.${kind}.body`);
      return (
        <Frame
          title={t(`experiments.next.${kind}.title`, { number: iteration.number })}
          body={kind === "follow" ? body : (iteration.message ?? body)}
          action={
            <IterationLink
              {...props}
              iterationId={iteration.id}
              words={t(`experiments.next.${kind}.action`)}
            />
          }
        />
      );
    }
  }
}
