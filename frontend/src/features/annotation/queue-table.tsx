import { Link } from "@tanstack/react-router";
import { ChartColumn, CirclePause, CirclePlay, Lock, Trash2, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AnnotationQueue, QueueState } from "@/api/types";
import { CommandMenu } from "@/components/ui/command-menu";
import { Progress } from "@/components/ui/progress";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { QueueBadge } from "./queue-badge";
import type { QueueMove } from "./queries";

export type QueueCommand = QueueMove | "results" | "delete";

const ICONS: Record<QueueCommand, LucideIcon> = {
  pause: CirclePause,
  open: CirclePlay,
  close: Lock,
  results: ChartColumn,
  delete: Trash2,
};

const COMMANDS: Record<QueueState, QueueCommand[]> = {
  open: ["results", "pause", "close", "delete"],
  paused: ["results", "open", "close", "delete"],
  closed: ["results", "open", "delete"],
};

interface QueueMenuProps {
  queue: AnnotationQueue;
  onCommand: (command: QueueCommand) => void;
}

function QueueMenu({ queue, onCommand }: QueueMenuProps) {
  const { t } = useTranslation();
  return (
    <CommandMenu
      label={t("annotation.menu", { name: queue.name })}
      commands={COMMANDS[queue.state].map((command) => ({
        icon: ICONS[command],
        label: t(`annotation.actions.${command}`),
        isDanger: command === "delete",
        onChosen: () => onCommand(command),
      }))}
    />
  );
}

function QueueName({ slug, queue }: { slug: string; queue: AnnotationQueue }) {
  const { t } = useTranslation();
  return (
    <span className="grid min-w-0 gap-0.5 text-left">
      <Link
        to="/p/$slug/annotation/$queueId"
        params={{ slug, queueId: queue.id }}
        className="min-w-0 justify-self-start rounded-sm font-medium wrap-anywhere hover:text-accent-ink hover:underline"
      >
        {queue.name}
      </Link>
      <span className="text-xs text-ink-muted">
        {[
          t(`humanScore.questions.${queue.question}`),
          t("annotation.size.outputs", { count: queue.progress.items }),
          t("annotation.size.people", { count: queue.overlap }),
          t(`annotation.strategies.${queue.strategy}`),
        ].join(" · ")}
      </span>
    </span>
  );
}

function QueueFigures({ queue }: { queue: AnnotationQueue }) {
  const { t } = useTranslation();
  const { answers, wanted_answers } = queue.progress;
  return (
    <span className="grid w-36 gap-1.5">
      <Progress
        label={t("annotation.progressOf", { name: queue.name })}
        value={(100 * answers) / Math.max(1, wanted_answers)}
      />
      <span className="text-xs text-ink-muted tabular-nums">
        {t("annotation.answersOf", { done: answers, total: wanted_answers })}
      </span>
    </span>
  );
}

export interface QueueTableProps {
  slug: string;
  queues: readonly AnnotationQueue[];
  editable: boolean;
  onCommand: (command: QueueCommand, queue: AnnotationQueue) => void;
}

export function QueueTable({ slug, queues, editable, onCommand }: QueueTableProps) {
  const { t } = useTranslation();
  const columns: Column<AnnotationQueue>[] = [
    {
      key: "name",
      primary: true,
      header: t("fields.name"),
      className: "lg:w-2/5",
      cell: (queue) => <QueueName slug={slug} queue={queue} />,
    },
    {
      key: "state",
      header: t("annotation.state"),
      cell: (queue) => <QueueBadge state={queue.state} />,
    },
    {
      key: "progress",
      header: t("annotation.progress"),
      cell: (queue) => <QueueFigures queue={queue} />,
    },
    {
      key: "left",
      header: t("annotation.forYou"),
      cell: ({ state, is_for_me, progress }) =>
        state !== "open" || !is_for_me ? (
          <span className="text-ink-subtle">{t("runs.none")}</span>
        ) : (
          <span className="whitespace-nowrap tabular-nums">
            {t("annotation.left", { count: progress.left_for_me })}
          </span>
        ),
    },
    {
      key: "when",
      header: t("annotation.when"),
      align: "right",
      cell: (queue) => (
        <RelativeTime iso={queue.created_at} className="whitespace-nowrap text-ink-muted" />
      ),
    },
    {
      key: "actions",
      header: t("ui.actions"),
      hideHeader: true,
      align: "right",
      className: "lg:w-16",
      cell: (queue) => (
        <QueueMenu queue={queue} onCommand={(command) => onCommand(command, queue)} />
      ),
    },
  ];
  return (
    <Table
      caption={t("annotation.title")}
      columns={editable ? columns : columns.filter(({ key }) => key !== "actions")}
      rows={queues}
      rowKey={(queue) => queue.id}
    />
  );
}
