import { useNavigate } from "@tanstack/react-router";
import { CirclePlay, CircleStop, Pencil } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { AbTestSummary } from "@/api/types";
import { useResourceCommands } from "@/components/listing/use-resource-commands";
import type { Command } from "@/components/ui/command-menu";
import { toast } from "@/components/ui/toast";
import { AB_TEST } from "./queries";
import { StopDialog } from "./stop-dialog";

export interface AbTestEvents {
  onOpened: (testId: string) => void;
  onDeleted?: () => void;
}

/** Starts a draft. */
export function useStart(slug: string) {
  const { t } = useTranslation();
  const start = useRefreshingMutation(
    [keys.abTests(slug), keys.audit(slug)],
    async (test: AbTestSummary) =>
      send("post", `${AB_TEST}/start`, { project: slug, ab_test_id: test.id }),
    { onError: (error) => void toast.error(problemMessage(error)), always: true },
  );
  return {
    start: (test: AbTestSummary) =>
      start.mutate(test, {
        onSuccess: () => toast.success(t("abTests.started", { name: test.name })),
      }),
    isStarting: start.isPending,
  };
}

/** Menu commands of an A/B test, and the open dialog. */
export function useAbTestCommands(slug: string, { onOpened, onDeleted }: AbTestEvents) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { start } = useStart(slug);
  const [stopped, setStopped] = useState<AbTestSummary | null>(null);
  const { commandOf, dialog } = useResourceCommands<AbTestSummary>(slug, AB_TEST, {
    onDuplicated: ({ id }) => onOpened(id),
    isTyped: ({ state }) => state !== "draft",
    consequence: () => t("abTests.delete"),
    onDeleted,
  });
  const own = (test: AbTestSummary): Command[] => {
    if (test.archived_at !== null) {
      return [];
    }
    if (test.state === "draft") {
      const edit = () =>
        void navigate({
          to: "/p/$slug/ab-tests/$testId/edit",
          params: { slug, testId: test.id },
        });
      return [
        { icon: CirclePlay, label: t("abTests.start"), onChosen: () => start(test) },
        { icon: Pencil, label: t("abTests.editAction"), onChosen: edit },
      ];
    }
    return test.state === "running"
      ? [{ icon: CircleStop, label: t("abTests.stop.action"), onChosen: () => setStopped(test) }]
      : [];
  };
  const leaving = (test: AbTestSummary) =>
    test.state === "running" ? [] : (["archive", "delete"] as const);
  return {
    commandsOf: (test: AbTestSummary, place: "row" | "page" = "row"): Command[] => [
      ...(place === "row" ? own(test) : []),
      ...(["rename", "duplicate", ...leaving(test)] as const).map((name) => commandOf(name, test)),
    ],
    stop: setStopped,
    dialog:
      stopped === null ? (
        dialog
      ) : (
        <StopDialog slug={slug} test={stopped} onClosed={() => setStopped(null)} />
      ),
  };
}
