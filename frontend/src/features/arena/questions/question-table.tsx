import { useTranslation } from "react-i18next";
import type { JudgedQuestion, QuestionGenerator } from "@/api/arena";
import { outOfTen } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Table, type Column } from "@/components/ui/table";
import { Unknown } from "@/components/unknown";
import { formatDecimal } from "@/lib/format";
import { generatorName } from "./generator-name";

const LONGEST_SHOWN = 160;

export function CaseState({ question }: { question: JudgedQuestion }) {
  const { t } = useTranslation();
  const { case_state: state } = question;
  return state === "current" ? null : (
    <Badge tone={state === "deleted" ? "neutral" : "info"}>{t(`questions.states.${state}`)}</Badge>
  );
}

function Score({ question }: { question: JudgedQuestion }) {
  const { t } = useTranslation();
  if (question.score === null) {
    return <Badge tone="outline">{t("questions.noVerdict")}</Badge>;
  }
  return (
    <span className="inline-flex items-center gap-2 tabular-nums">
      {question.is_weak ? <Badge tone="warning">{t("questions.weak")}</Badge> : null}
      <span className="font-semibold">{outOfTen(question.score)}</span>
    </span>
  );
}

function Difficulty({ question }: { question: JudgedQuestion }) {
  const { t } = useTranslation();
  const { difficulty, judged_difficulty: judged } = question;
  if (judged === null) {
    return difficulty === null ? <Unknown /> : <>{difficulty}</>;
  }
  return (
    <span className="grid tabular-nums">
      {formatDecimal(judged, 1)}
      {difficulty === null ? null : (
        <span className="text-xs whitespace-nowrap text-ink-muted">
          {t("questions.stated", { difficulty })}
        </span>
      )}
    </span>
  );
}

interface QuestionTableProps {
  questions: readonly JudgedQuestion[];
  generators: readonly QuestionGenerator[];
  onOpened: (question: JudgedQuestion) => void;
}

function useColumns({ questions, generators, onOpened }: QuestionTableProps) {
  const { t } = useTranslation();
  const weighed = questions[0]?.criteria.filter(({ weight }) => weight > 0) ?? [];
  const columns: Column<JudgedQuestion>[] = [
    {
      key: "question",
      header: t("questions.question"),
      primary: true,
      className: "lg:w-2/5",
      cell: (question) => (
        <span className="grid justify-items-start gap-1">
          <button
            type="button"
            dir="auto"
            className="rounded-sm text-left font-medium wrap-anywhere hover:underline"
            onClick={() => onOpened(question)}
          >
            {question.question.length > LONGEST_SHOWN
              ? `${question.question.slice(0, LONGEST_SHOWN)}…`
              : question.question}
          </button>
          <span className="flex flex-wrap items-center gap-2 text-xs text-ink-muted">
            {generatorName(generators, question.generator, t)}
            <CaseState question={question} />
          </span>
        </span>
      ),
    },
    {
      key: "score",
      header: t("arena.columns.score"),
      align: "right",
      cell: (question) => <Score question={question} />,
    },
  ];
  for (const { name } of weighed) {
    columns.push({
      key: `criterion ${name}`,
      header: name,
      align: "right",
      cell: ({ criteria }) => {
        const value = criteria.find((each) => each.name === name)?.value ?? null;
        return value === null ? <Unknown /> : outOfTen(value);
      },
    });
  }
  columns.push(
    {
      key: "difficulty",
      header: t("questions.difficulty"),
      align: "right",
      cell: (question) => <Difficulty question={question} />,
    },
    {
      key: "apart",
      header: t("questions.apart"),
      align: "right",
      cell: ({ disagreement }) => (disagreement === null ? <Unknown /> : outOfTen(disagreement)),
    },
  );
  return columns;
}

/** Judged questions; a click opens the verdicts. */
export function QuestionTable(props: QuestionTableProps) {
  const { t } = useTranslation();
  return (
    <Table
      caption={t("questions.table")}
      columns={useColumns(props)}
      rows={props.questions}
      rowKey={({ position }) => String(position)}
      rowClassName={({ case_state: state }) => (state === "deleted" ? "opacity-60" : undefined)}
    />
  );
}
