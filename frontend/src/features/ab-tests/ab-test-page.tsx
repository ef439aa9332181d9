import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CirclePlay, CircleStop, Pencil } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AbTest, Project } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ArchivedBadge } from "@/components/listing/resource-name";
import { ProblemState } from "@/components/problem-state";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CommandMenu } from "@/components/ui/command-menu";
import { Explained } from "@/components/ui/explained";
import { PageHeader } from "@/components/ui/page-header";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { formatUsd } from "@/lib/format";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { Arms, Batches } from "./ab-test-tables";
import { DifferenceChart } from "./difference-chart";
import { abTestQuery } from "./queries";
import { RecordedAnswers } from "./recorded-answers";
import { StateBadge } from "./state-badge";
import { useAbTestCommands, useStart } from "./use-ab-test-commands";

export interface AbTestPageProps {
  project: Project;
  testId: string;
  onOpened: (testId: string) => void;
  onLeft: () => void;
}

interface LoadedProps extends AbTestPageProps {
  test: AbTest;
}

function Header({ project, test, onOpened, onLeft }: LoadedProps) {
  const { t } = useTranslation();
  const { slug } = project;
  const { start, isStarting } = useStart(slug);
  const { commandsOf, stop, dialog } = useAbTestCommands(slug, { onOpened, onDeleted: onLeft });
  const editable = can(project.role, "abTests.edit") && project.archived_at === null;
  const isActive = editable && test.archived_at === null;
  return (
    <>
      <PageHeader
        title={test.name}
        badges={
          <>
            <StateBadge state={test.state} />
            {test.archived_at === null ? null : <ArchivedBadge />}
          </>
        }
        description={
          test.dataset === null
            ? t("abTests.recorded", { count: test.answers })
            : t("abTests.sampled", { name: test.dataset.name })
        }
        actions={
          editable ? (
            <>
              {isActive && test.state === "draft" ? (
                <>
                  <Button asChild variant="secondary">
                    <Link to="/p/$slug/ab-tests/$testId/edit" params={{ slug, testId: test.id }}>
                      <Pencil aria-hidden />
                      {t("abTests.editAction")}
                    </Link>
                  </Button>
                  <Button loading={isStarting} onClick={() => start(test)}>
                    <CirclePlay aria-hidden />
                    {t("abTests.start")}
                  </Button>
                </>
              ) : null}
              {test.state === "running" ? (
                <Button variant="secondary" onClick={() => stop(test)}>
                  <CircleStop aria-hidden />
                  {t("abTests.stop.action")}
                </Button>
              ) : null}
              <CommandMenu
                place="head"
                label={t("lists.menu", { name: test.name })}
                commands={commandsOf(test, "page")}
              />
            </>
          ) : null
        }
      />
      {dialog}
    </>
  );
}

/** The recommendation in a sentence, with its evidence. */
function Conclusion({ test }: { test: AbTest }) {
  const { t } = useTranslation();
  const { result, state, message, note } = test;
  const isOpen = state === "draft" || state === "running";
  return (
    <div className="grid gap-3">
      {message === null ? null : (
        <Alert tone={state === "failed" ? "danger" : "warning"} live={false}>
          {message}
        </Alert>
      )}
      <p className="text-base font-medium">
        {result === null
          ? t(state === "draft" ? "abTests.notStarted" : "abTests.noEvidence")
          : t(`abTests.conclusions.${result.recommendation}`, { context: isOpen ? "open" : "" })}
      </p>
      {result?.difference == null ? null : (
        <p className="text-sm text-ink-muted">
          {t("abTests.evidence", {
            difference: changeOutOfTen(result.difference),
            count: result.pairs,
          })}{" "}
          {result.low === null || result.high === null ? (
            <Explained text={t("abTests.noInterval")} />
          ) : (
            <Explained
              text={t("abTests.between", {
                low: changeOutOfTen(result.low),
                high: changeOutOfTen(result.high),
              })}
            />
          )}
        </p>
      )}
      {note === null ? null : (
        <p className="text-sm text-ink-muted">{t("abTests.stopNote", { note })}</p>
      )}
    </div>
  );
}

function LoadedTest(props: LoadedProps) {
  const { project, test } = props;
  const { t } = useTranslation();
  useDocumentTitle(test.name, project.name);
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/p/$slug/ab-tests" slug={project.slug}>
        {t("abTests.all")}
      </BackLink>
      <Header {...props} />
      <Card>
        <CardHeader
          title={t("abTests.result")}
          description={t("abTests.plan", {
            pairs: test.pairs,
            done: test.result?.pairs ?? 0,
            worthwhile: outOfTen(test.worthwhile),
            cost: formatUsd(test.cost_usd),
            budget: test.budget_usd === null ? "—" : formatUsd(test.budget_usd),
          })}
        />
        <div className="grid gap-5 p-5">
          <Conclusion test={test} />
          <DifferenceChart looks={test.looks} />
        </div>
      </Card>
      <Arms test={test} />
      {test.batches.length === 0 ? null : <Batches slug={project.slug} test={test} />}
      {test.mode === "recorded" && test.state !== "draft" ? (
        <RecordedAnswers slug={project.slug} test={test} />
      ) : null}
    </div>
  );
}

/** Page of an A/B test: the conclusion, how the evidence grew, both arms, and the answers. */
export function AbTestPage(props: AbTestPageProps) {
  const { project, testId } = props;
  const test = useQuery(abTestQuery(project.slug, testId));
  if (test.data !== undefined) {
    return <LoadedTest {...props} test={test.data} />;
  }
  if (test.isPending) {
    return (
      <LoadingStatus>
        <div className="grid gap-6">
          <Skeleton className="h-7 w-72" />
          <Skeleton className="h-80 rounded-xl" />
        </div>
      </LoadingStatus>
    );
  }
  return (
    <ProblemState
      isPage
      error={test.error}
      retrying={test.isFetching}
      onRetry={() => void test.refetch()}
    />
  );
}
