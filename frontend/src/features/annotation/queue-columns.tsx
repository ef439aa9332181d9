import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { AnnotationQueue } from "@/api/types";
import { NAME_LINK, ResourceName } from "@/components/listing/resource-name";
import { Progress } from "@/components/ui/progress";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Column } from "@/components/ui/table";
import { QueueBadge } from "./queue-badge";

function QueueName({ slug, queue }: { slug: string; queue: AnnotationQueue }) {
  const { t } = useTranslation();
  const facts = [
    t(`humanScore.questions.${queue.question}`),
    t("annotation.size.outputs", { count: queue.progress.items }),
    t("annotation.size.people", { count: queue.overlap }),
    t(`annotation.strategies.${queue.strategy}`),
  ];
  return (
    <ResourceName note={facts.join(" · ")}>
      <Link
        to="/p/$slug/annotation/$queueId"
        params={{ slug, queueId: queue.id }}
        className={NAME_LINK}
      >
        {queue.name}
      </Link>
    </ResourceName>
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

export function useQueueColumns(slug: string): Column<AnnotationQueue>[] {
  const { t } = useTranslation();
  return [
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
  ];
}
