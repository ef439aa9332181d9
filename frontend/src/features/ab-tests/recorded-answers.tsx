import { useInfiniteQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AbAnswer, AbTest } from "@/api/types";
import { TextBlock } from "@/components/cell/text-block";
import { FilterSelect } from "@/components/listing/filter-bar";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { formatScore } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { ANSWER_STATES, type AnswerFilters } from "./ab-test-view";
import { answersQuery } from "./queries";

/** The score, or why there is none. */
function Score({ answer }: { answer: AbAnswer }) {
  const { t } = useTranslation();
  return answer.score === null ? (
    <Badge tone={answer.state === "pending" ? "info" : "warning"}>
      {t(`abTests.recordedAnswers.states.${answer.state}`)}
    </Badge>
  ) : (
    <span className="tabular-nums">{formatScore(answer.score)}</span>
  );
}

function useAnswerColumns(onOpened: (answer: AbAnswer) => void): Column<AbAnswer>[] {
  const { t } = useTranslation();
  return [
    {
      key: "answer",
      header: t("abTests.recordedAnswers.answer"),
      primary: true,
      cell: (answer) => (
        <span className="grid justify-items-start gap-0.5">
          <Button
            variant="ghost"
            size="sm"
            className="-ml-3 text-accent-ink"
            onClick={() => onOpened(answer)}
          >
            {t("abTests.recordedAnswers.number", { number: answer.number })}
          </Button>
          <span className="line-clamp-2 max-w-xl text-xs wrap-anywhere text-ink-muted">
            {answer.answer}
          </span>
        </span>
      ),
    },
    {
      key: "arm",
      header: t("abTests.arms.arm"),
      cell: ({ arm }) => t(`abTests.recordedAnswers.arms.${arm}`),
    },
    {
      key: "score",
      header: t("abTests.recordedAnswers.score"),
      cell: (answer) => <Score answer={answer} />,
    },
    {
      key: "id",
      header: t("abTests.recordedAnswers.id"),
      cell: ({ external_id: id }) =>
        id === null ? "—" : <code className="text-xs wrap-anywhere">{id}</code>,
    },
    {
      key: "time",
      header: t("abTests.recordedAnswers.time"),
      cell: ({ created_at: at }) => <RelativeTime iso={at} />,
    },
  ];
}

/** Scores by scorer, as stored. */
interface ScorerResult {
  label: string;
  value: number | null;
  rationale: string | null;
}

function AnswerDialog({ answer, onClosed }: { answer: AbAnswer; onClosed: () => void }) {
  const { t } = useTranslation();
  const scores = (answer.scores ?? []) as unknown as ScorerResult[];
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="lg"
      title={t("abTests.recordedAnswers.number", { number: answer.number })}
      description={t(`abTests.${answer.arm}`)}
    >
      <div className="grid gap-4">
        {Object.keys(answer.inputs).length === 0 ? null : (
          <TextBlock
            label={t("abTests.recordedAnswers.inputs")}
            text={JSON.stringify(answer.inputs, null, 2)}
          />
        )}
        <TextBlock label={t("abTests.recordedAnswers.answer")} text={answer.answer} />
        {answer.expected === null ? null : (
          <TextBlock label={t("abTests.recordedAnswers.expected")} text={answer.expected} />
        )}
        <section className="grid gap-2 text-sm">
          <h3 className="flex items-center gap-3 text-xs font-medium text-ink-muted">
            {t("abTests.recordedAnswers.score")}
            <Score answer={answer} />
          </h3>
          {scores.map(({ label, value, rationale }) => (
            <p key={label} className="grid gap-0.5">
              <span className="flex justify-between gap-3">
                <span className="wrap-anywhere">{label}</span>
                <span className="tabular-nums">{value === null ? "—" : formatScore(value)}</span>
              </span>
              {rationale === null ? null : (
                <span className="text-xs wrap-anywhere text-ink-muted">{rationale}</span>
              )}
            </p>
          ))}
        </section>
      </div>
    </Dialog>
  );
}

/** Answers that a program recorded, latest first. */
export function RecordedAnswers({ slug, test }: { slug: string; test: AbTest }) {
  const { t } = useTranslation();
  const [filters, setFilters] = useState<AnswerFilters>({});
  const [opened, setOpened] = useState<AbAnswer | null>(null);
  const answers = useInfiniteQuery(answersQuery(slug, test.id, filters));
  const columns = useAnswerColumns(setOpened);
  const isFiltered = filters.arm !== undefined || filters.state !== undefined;
  return (
    <section aria-labelledby="recorded-answers" className="grid grid-cols-1 gap-4">
      <h2 id="recorded-answers" className="text-base font-semibold">
        {t("abTests.recordedAnswers.title")}
      </h2>
      <div className="grid gap-3 sm:grid-cols-[14rem_14rem]">
        <FilterSelect
          label={t("abTests.arms.arm")}
          anything={t("abTests.recordedAnswers.anyArm")}
          value={filters.arm}
          options={(["first", "second"] as const).map((value) => ({
            value,
            label: t(`abTests.${value}`),
          }))}
          onChosen={(arm) => setFilters((before) => ({ ...before, arm }))}
        />
        <FilterSelect
          label={t("abTests.columns.state")}
          anything={t("abTests.filters.anyState")}
          value={filters.state}
          options={ANSWER_STATES.map((value) => ({
            value,
            label: t(`abTests.recordedAnswers.states.${value}`),
          }))}
          onChosen={(state) => setFilters((before) => ({ ...before, state }))}
        />
      </div>
      <PagedList
        query={answers}
        empty={
          isFiltered ? (
            <NoMatch onFiltersCleared={() => setFilters({})} />
          ) : (
            <EmptyState
              icon={<Inbox aria-hidden />}
              title={t("abTests.recordedAnswers.empty")}
              description={t("abTests.recordedAnswers.emptyHint", { id: test.id })}
            />
          )
        }
      >
        {(rows) => (
          <Table
            caption={t("abTests.recordedAnswers.title")}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
          />
        )}
      </PagedList>
      {opened === null ? null : <AnswerDialog answer={opened} onClosed={() => setOpened(null)} />}
    </section>
  );
}
