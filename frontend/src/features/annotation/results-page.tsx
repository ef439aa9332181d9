import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AnnotationResults, Project } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ProblemState } from "@/components/problem-state";
import { ScoreBadge } from "@/components/score-badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import { Explained } from "@/components/ui/explained";
import { PageHeader } from "@/components/ui/page-header";
import { FormSkeleton } from "@/components/ui/skeleton";
import { Table } from "@/components/ui/table";
import { formatDecimal, formatNumber, formatPercent } from "@/lib/format";
import { useDocumentTitle } from "@/lib/hooks";
import { exportAddress, resultsQuery } from "./queries";
import { QueueBadge } from "./queue-badge";

function Figure({ label, value, note }: { label: string; value: ReactNode; note: string }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-xs text-ink-muted">
        <Explained text={label} />
      </dt>
      <dd className="text-lg font-semibold tracking-tight tabular-nums">{value}</dd>
      <dd className="text-xs text-ink-muted">{note}</dd>
    </div>
  );
}

function Figures({ results }: { results: AnnotationResults }) {
  const { t } = useTranslation();
  const { queue, agreement, mean } = results;
  const { answers, wanted_answers } = queue.progress;
  const share = (part: number | null) => (part === null ? t("runs.none") : formatPercent(part));
  return (
    <Card aria-label={t("annotation.results.figures")}>
      <CardContent>
        <dl className="grid gap-6 sm:grid-cols-2 lg:grid-cols-4">
          <Figure
            label={t("annotation.progress")}
            value={formatPercent(answers / Math.max(1, wanted_answers))}
            note={t("annotation.answersOf", { done: answers, total: wanted_answers })}
          />
          <Figure
            label={t("humanScore.mean")}
            value={
              mean === null ? (
                t("runs.none")
              ) : (
                <ScoreBadge label={t("humanScore.mean")} value={mean} passed={null} />
              )
            }
            note={t(`humanScore.questions.${queue.question}`)}
          />
          <Figure
            label={t("annotation.results.agreement")}
            value={share(agreement.share)}
            note={
              agreement.pairs === 0
                ? t("annotation.results.noPairs")
                : queue.question === "rating"
                  ? t("annotation.results.near", { share: share(agreement.near_share) })
                  : t("annotation.results.pairs", { count: agreement.pairs })
            }
          />
          {agreement.alpha === null ? null : (
            <Figure
              label={t("annotation.results.alpha")}
              value={formatDecimal(agreement.alpha, 2)}
              note={t("annotation.results.alphaNote")}
            />
          )}
        </dl>
      </CardContent>
    </Card>
  );
}

function Mean({ value }: { value: number | null }) {
  const { t } = useTranslation();
  return <ScoreBadge label={t("humanScore.mean")} value={value} passed={null} />;
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-3">
      <h2 className="text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Tables({ results }: { results: AnnotationResults }) {
  const { t } = useTranslation();
  const none = <p className="text-sm text-ink-muted">{t("annotation.results.none")}</p>;
  return (
    <>
      <Section title={t("runs.variants")}>
        {results.variants.length === 0 ? (
          none
        ) : (
          <Table
            caption={t("runs.variants")}
            rows={results.variants}
            rowKey={(row) => `${row.run_id}.${row.variant}`}
            columns={[
              {
                key: "variant",
                primary: true,
                header: t("annotation.results.variant"),
                cell: (row) => <span className="font-medium wrap-anywhere">{row.variant}</span>,
              },
              {
                key: "run",
                header: t("annotation.results.run"),
                cell: (row) => <span className="wrap-anywhere">{row.run_name}</span>,
              },
              {
                key: "items",
                header: t("annotation.results.outputs"),
                align: "right",
                cell: (row) => formatNumber(row.items),
              },
              {
                key: "mean",
                header: t("humanScore.mean"),
                align: "right",
                cell: (row) => <Mean value={row.mean} />,
              },
            ]}
          />
        )}
      </Section>
      <Section title={t("annotation.results.people")}>
        {results.people.length === 0 ? (
          none
        ) : (
          <Table
            caption={t("annotation.results.people")}
            rows={results.people}
            rowKey={(row) => row.person?.id ?? "gone"}
            columns={[
              {
                key: "person",
                primary: true,
                header: t("annotation.results.person"),
                cell: (row) => row.person?.name ?? t("humanScore.gone"),
              },
              {
                key: "answers",
                header: t("annotation.results.answers"),
                align: "right",
                cell: (row) => formatNumber(row.answers),
              },
              {
                key: "mean",
                header: t("humanScore.mean"),
                align: "right",
                cell: (row) => <Mean value={row.mean} />,
              },
            ]}
          />
        )}
      </Section>
      {results.skips.length === 0 ? null : (
        <Section title={t("annotation.results.skips")}>
          <ul className="grid gap-1 text-sm">
            {results.skips.map(({ reason, count }) => (
              <li key={reason} className="flex gap-3">
                <span className="w-8 text-right tabular-nums">{formatNumber(count)}</span>
                <span className="wrap-anywhere">{reason}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

/** Results of a queue. Reveals which variant produced each output. */
export function ResultsPage({ project, queueId }: { project: Project; queueId: string }) {
  const { t } = useTranslation();
  const results = useQuery(resultsQuery(project.slug, queueId));
  useDocumentTitle(results.data?.queue.name ?? t("annotation.results.title"), project.name);
  if (results.isPending) {
    return <FormSkeleton fields={4} />;
  }
  if (results.isError) {
    return <ProblemState isPage error={results.error} onRetry={() => void results.refetch()} />;
  }
  const { queue } = results.data;
  return (
    <div className="grid gap-6">
      <BackLink to="/p/$slug/annotation" slug={project.slug}>
        {t("annotation.back")}
      </BackLink>
      <PageHeader
        title={t("annotation.results.of", { name: queue.name })}
        badges={<QueueBadge state={queue.state} />}
        actions={
          <Button asChild variant="secondary">
            <a href={exportAddress(project.slug, queueId)} download>
              <Download aria-hidden />
              {t("annotation.results.export")}
            </a>
          </Button>
        }
      />
      <Figures results={results.data} />
      <Tables results={results.data} />
    </div>
  );
}
