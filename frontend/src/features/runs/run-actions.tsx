import { Link } from "@tanstack/react-router";
import {
  Ban,
  CirclePause,
  CirclePlay,
  ClipboardCheck,
  CopyPlus,
  History,
  Radar,
  RotateCw,
  Scale,
  Vote,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { isFinished, useActOnRun, type PlainAction } from "@/api/runs";
import type { RunAction, RunDetail } from "@/api/types";
import { ImproveMenu } from "@/components/improve-menu";
import { Button } from "@/components/ui/button";
import { CommandMenu, type Command } from "@/components/ui/command-menu";
import { MenuItem } from "@/components/ui/dropdown-menu";
import { toast } from "@/components/ui/toast";
import { RescoreDialog } from "./rescore-dialog";
import { CancelRunDialog, RunAgainDialog } from "./run-dialogs";
import { useRunChanges } from "./use-run-commands";

/** Actions shown as buttons; the others are in the menu. */
const ON_VIEW = ["resume", "pause", "retry", "cancel", "again"] as const satisfies RunAction[];

const ICONS: Record<(typeof ON_VIEW)[number], LucideIcon> = {
  pause: CirclePause,
  resume: CirclePlay,
  cancel: Ban,
  retry: RotateCw,
  again: CopyPlus,
};

export interface RunActionsProps {
  slug: string;
  run: RunDetail;
  onRunOpened: (runId: string) => void;
  onDeleted: () => void;
  /** Whether the dialog to score again is open at first. */
  isRescoring?: boolean;
  onRescoreClosed?: () => void;
}

function useActions({ slug, run, onRunOpened }: RunActionsProps) {
  const { t } = useTranslation();
  const act = useActOnRun(slug);
  const start = (action: PlainAction) =>
    act.mutate(
      { runId: run.id, action },
      {
        onSuccess: (changed) => {
          if (changed.id !== run.id) {
            toast.success(t("runs.replay.started"));
            onRunOpened(changed.id);
          }
        },
        onError: (error) => toast.error(problemMessage(error)),
      },
    );
  return { start, pending: act.isPending ? act.variables.action : null };
}

type OpenDialog = "cancel" | "again" | "rescore";

export function RunActions(props: RunActionsProps) {
  const { slug, run } = props;
  const { t } = useTranslation();
  const { start, pending } = useActions(props);
  const [asked, setAsked] = useState<OpenDialog | null>(props.isRescoring ? "rescore" : null);
  const changes = useRunChanges(slug, props.onDeleted);
  const dialog = { slug, run, onClosed: () => setAsked(null) };
  const closeRescore = () => {
    setAsked(null);
    props.onRescoreClosed?.();
  };
  const commands: Command[] = [changes.commandOf("rename", run)];
  if (run.actions.includes("replay")) {
    commands.unshift({
      icon: History,
      label: t("runs.actions.replay"),
      onChosen: () => start("replay"),
    });
  }
  if (run.actions.includes("rescore")) {
    commands.unshift({
      icon: Scale,
      label: t("runs.actions.rescore"),
      onChosen: () => setAsked("rescore"),
    });
  }
  if (isFinished(run.state)) {
    commands.push(
      changes.commandOf("keep", run),
      changes.commandOf("archive", run),
      changes.commandOf("delete", run),
    );
  }
  return (
    <>
      {ON_VIEW.filter((action) => run.actions.includes(action)).map((action) => {
        const Icon = ICONS[action];
        return (
          <Button
            key={action}
            variant={action === "resume" ? "primary" : "secondary"}
            loading={pending === action}
            disabled={pending !== null}
            onClick={() =>
              action === "cancel" || action === "again" ? setAsked(action) : start(action)
            }
          >
            <Icon aria-hidden />
            {action === "retry"
              ? t("runs.retry", { count: run.error_count })
              : t(`runs.actions.${action}`)}
          </Button>
        );
      })}
      {isFinished(run.state) && run.variants.some((variant) => variant.prompt_id !== null) ? (
        <ImproveMenu slug={slug} source={{ run: run.id }} />
      ) : null}
      <CommandMenu label={t("lists.menu", { name: run.name })} place="head" commands={commands}>
        {run.done_count > run.error_count ? (
          <MenuItem asChild>
            <Link to="/p/$slug/annotation" params={{ slug }} search={{ create: true, run: run.id }}>
              <ClipboardCheck aria-hidden />
              {t("runs.actions.annotate")}
            </Link>
          </MenuItem>
        ) : null}
        {run.state === "completed" && run.variant_count > 1 ? (
          <MenuItem asChild>
            <Link to="/p/$slug/arena/voting" params={{ slug }} search={{ run: run.id }}>
              <Vote aria-hidden />
              {t("runs.actions.vote")}
            </Link>
          </MenuItem>
        ) : null}
        <MenuItem asChild>
          <Link to="/p/$slug/monitors/new" params={{ slug }} search={{ run: run.id }}>
            <Radar aria-hidden />
            {t("monitors.fromHere")}
          </Link>
        </MenuItem>
      </CommandMenu>
      {asked === "cancel" ? <CancelRunDialog {...dialog} /> : null}
      {asked === "again" ? <RunAgainDialog {...dialog} onRunOpened={props.onRunOpened} /> : null}
      {asked === "rescore" && run.actions.includes("rescore") ? (
        <RescoreDialog {...dialog} onClosed={closeRescore} />
      ) : null}
      {changes.dialog}
    </>
  );
}
