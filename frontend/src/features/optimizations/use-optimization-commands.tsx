import {
  CircleStop,
  GitCompareArrows,
  Pause,
  Pencil,
  Play,
  RefreshCw,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { OptimizationState, OptimizationSummary } from "@/api/types";
import { useResourceCommands } from "@/components/listing/use-resource-commands";
import type { Command } from "@/components/ui/command-menu";
import { toast } from "@/components/ui/toast";
import { CompareWithDialog } from "./compare/compare-with-dialog";
import { CancelDialog } from "./cancel-dialog";
import { isActive } from "./optimization-view";
import { OPTIMIZATION } from "./queries";

/** Navigation after commands. */
export interface OptimizationEvents {
  onOpened: (optimizationId: string) => void;
  /** Opens the form of a draft. */
  onEdited: (optimizationId: string) => void;
  /** Opens the form, filled from this optimization. */
  onRepeated: (optimizationId: string) => void;
  onCompared: (optimizationId: string, otherId: string) => void;
}

export type Move = "start" | "pause" | "resume";

export const MOVE_ICONS: Record<Move, LucideIcon> = { start: Play, pause: Pause, resume: Play };

const MOVES: Partial<Record<OptimizationState, Move>> = {
  draft: "start",
  running: "pause",
  paused: "resume",
};

/** What moves an optimization on from its state; null if nothing does. */
export function moveOf({ state, archived_at }: OptimizationSummary): Move | null {
  return archived_at === null ? (MOVES[state] ?? null) : null;
}

/** Starts, pauses and resumes. */
export function useMove(slug: string) {
  const { t } = useTranslation();
  const families = [
    keys.optimizations(slug),
    keys.runs(slug),
    keys.budgets(slug),
    keys.audit(slug),
  ];
  const act = useRefreshingMutation(
    families,
    async ({ row, move }: { row: OptimizationSummary; move: Move }) =>
      send("post", `${OPTIMIZATION}/${move}`, { project: slug, optimization_id: row.id }),
    { onError: (error) => void toast.error(problemMessage(error)), always: true },
  );
  return {
    move: (row: OptimizationSummary, move: Move) =>
      act.mutate(
        { row, move },
        {
          onSuccess: () => toast.success(t(`optimizations.done.${move}`, { name: row.name })),
        },
      ),
    pending: act.isPending ? act.variables.move : null,
  };
}

interface Place {
  editable: boolean;
  place: "row" | "page";
}

/** Menu commands of an optimization, and the open dialog. */
export function useOptimizationCommands(
  slug: string,
  events: OptimizationEvents,
  onDeleted?: () => void,
) {
  const { t } = useTranslation();
  const { move } = useMove(slug);
  const [asked, setAsked] = useState<{
    question: "cancel" | "compare";
    row: OptimizationSummary;
  } | null>(null);
  const { commandOf, dialog } = useResourceCommands<OptimizationSummary>(slug, OPTIMIZATION, {
    onDuplicated: ({ id }) => events.onOpened(id),
    isTyped: ({ state }) => state !== "draft",
    consequence: () => t("optimizations.delete"),
    onDeleted,
    also: [keys.budgets(slug)],
  });
  const compare = (row: OptimizationSummary): Command => ({
    icon: GitCompareArrows,
    label: t("optimizations.compare.action"),
    onChosen: () => setAsked({ question: "compare", row }),
  });
  const own = (row: OptimizationSummary): Command[] => {
    const next = moveOf(row);
    const cancel = { icon: CircleStop, label: t("optimizations.cancel.action") };
    return [
      ...(next === null
        ? []
        : [
            {
              icon: MOVE_ICONS[next],
              label: t(`optimizations.moves.${next}`),
              onChosen: () => move(row, next),
            },
          ]),
      ...(isActive(row.state)
        ? [{ ...cancel, onChosen: () => setAsked({ question: "cancel", row }) }]
        : []),
    ];
  };
  const close = () => setAsked(null);
  return {
    cancel: (row: OptimizationSummary) => setAsked({ question: "cancel", row }),
    commandsOf: (row: OptimizationSummary, { editable, place }: Place): Command[] =>
      editable
        ? [
            ...(place === "row" ? own(row) : []),
            ...(row.state === "draft"
              ? [
                  {
                    icon: Pencil,
                    label: t("optimizations.editAction"),
                    onChosen: () => events.onEdited(row.id),
                  },
                ]
              : []),
            compare(row),
            {
              icon: RefreshCw,
              label: t("optimizations.repeat"),
              onChosen: () => events.onRepeated(row.id),
            },
            ...(
              [
                "rename",
                "duplicate",
                ...(isActive(row.state) ? [] : (["archive", "delete"] as const)),
              ] as const
            ).map((name) => commandOf(name, row)),
          ]
        : [compare(row)],
    dialog:
      asked === null ? (
        dialog
      ) : asked.question === "cancel" ? (
        <CancelDialog slug={slug} row={asked.row} onClosed={close} />
      ) : (
        <CompareWithDialog
          slug={slug}
          row={asked.row}
          onClosed={close}
          onChosen={(otherId) => events.onCompared(asked.row.id, otherId)}
        />
      ),
  };
}
