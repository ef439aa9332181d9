import { ChartColumn, CirclePause, CirclePlay, Lock, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { AnnotationQueue, QueueState } from "@/api/types";
import { useResourceCommands } from "@/components/listing/use-resource-commands";
import type { Command } from "@/components/ui/command-menu";
import { toast } from "@/components/ui/toast";
import { QUEUE, useMoveQueue, type QueueMove } from "./queries";

type QueueCommand = QueueMove | "results";

const ICONS: Record<QueueCommand, LucideIcon> = {
  pause: CirclePause,
  open: CirclePlay,
  close: Lock,
  results: ChartColumn,
};

const COMMANDS: Record<QueueState, QueueCommand[]> = {
  open: ["results", "pause", "close"],
  paused: ["results", "open", "close"],
  closed: ["results", "open"],
};

export function useQueueCommands(slug: string, onResultsOpened: (queueId: string) => void) {
  const { t } = useTranslation();
  const move = useMoveQueue(slug);
  const { commandsOf, dialog } = useResourceCommands<AnnotationQueue>(slug, QUEUE, {
    commands: ["delete"],
    consequence: () => t("annotation.delete.body"),
  });
  const choose = (name: QueueCommand, queueId: string) =>
    name === "results"
      ? onResultsOpened(queueId)
      : move.mutate(
          { queueId, move: name },
          { onError: (error) => toast.error(problemMessage(error)) },
        );
  return {
    commandsOf: (queue: AnnotationQueue): Command[] => [
      ...COMMANDS[queue.state].map((name) => ({
        icon: ICONS[name],
        label: t(`annotation.actions.${name}`),
        onChosen: () => choose(name, queue.id),
      })),
      ...commandsOf(queue),
    ],
    dialog,
  };
}
