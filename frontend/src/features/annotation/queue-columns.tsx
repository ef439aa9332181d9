import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { AnnotationQueue } from "@/api/types";
import { useResourceColumns } from "@/components/listing/columns";
import { Progress } from "@/components/ui/progress";
import type { Column } from "@/components/ui/table";
import { QueueBadge } from "./queue-badge";

function factsOf(queue: AnnotationQueue, t: TFunction): string {
  return [
    t(`humanScore.questions.${queue.question}`),
    t("annotation.size.outputs", { count: queue.progress.items }),
    t("annotation.size.people", { count: queue.overlap }),
    t(`annotation.strategies.${queue.strategy}`),
  ].join(" · ");
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

export function useQueueColumns(slug: string): Column<AnnotationQueue>[] {
  const { t } = useTranslation();
  const columns = useResourceColumns<AnnotationQueue>();
  return [
    columns.name({
      className: "lg:w-2/5",
      link: ({ id }) => ({ to: "/p/$slug/annotation/$queueId", params: { slug, queueId: id } }),
      note: (queue) => factsOf(queue, t),
    }),
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
    columns.time("when", t("annotation.when"), ({ created_at }) => created_at),
  ];
}
