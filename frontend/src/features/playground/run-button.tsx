import { CirclePlay, Play, Square } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { isWorking, percentDone, useActOnRun } from "@/api/runs";
import type { RunDetail } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { Progress } from "@/components/ui/progress";
import { toast } from "@/components/ui/toast";
import { Tooltip } from "@/components/ui/tooltip";
import { modKey } from "@/lib/shortcuts";

export interface RunButtonProps {
  slug: string;
  /** Run in progress beside which another one would start; null when there is none. */
  active: RunDetail | null;
  isStarting: boolean;
  /** Why running is not possible. */
  obstacle: string | null;
  label: string;
  onRunWanted: () => void;
}

function ActiveRun({ slug, run }: { slug: string; run: RunDetail }) {
  const { t } = useTranslation();
  const act = useActOnRun(slug);
  const start = (action: "cancel" | "resume") =>
    act.mutate(
      { runId: run.id, action },
      { onError: (error) => void toast.error(problemMessage(error)) },
    );
  const isPaused = !isWorking(run.state);
  return (
    <div className="grid w-60 gap-2 rounded-lg border border-border-strong bg-raised p-3 shadow-lg">
      <div className="flex items-center justify-between gap-2 text-xs">
        <span className="font-medium">{t(`runs.states.${run.state}`)}</span>
        <span className="text-ink-muted tabular-nums">
          {t("runs.cellsOf", { done: run.done_count, total: run.cell_count })}
        </span>
      </div>
      <Progress label={t("playground.run.progress")} value={percentDone(run)} />
      <div className="flex justify-end gap-2">
        {isPaused ? (
          <Button
            variant="secondary"
            size="sm"
            loading={act.isPending}
            onClick={() => start("resume")}
          >
            <CirclePlay aria-hidden />
            {t("runs.actions.resume")}
          </Button>
        ) : null}
        <Button
          variant="secondary"
          size="sm"
          loading={act.isPending}
          onClick={() => start("cancel")}
        >
          <Square aria-hidden />
          {t("playground.run.cancel")}
        </Button>
      </div>
    </div>
  );
}

/** Run button over the editor. During a run it shows the progress and stops the run. */
export function RunButton(props: RunButtonProps) {
  const { slug, active, isStarting, obstacle, label, onRunWanted } = props;
  if (active !== null) {
    return <ActiveRun slug={slug} run={active} />;
  }
  return (
    <Tooltip content={obstacle ?? <Kbd keys={`${modKey} Enter`} />}>
      <Button
        loading={isStarting}
        disabled={obstacle !== null}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        {...(obstacle === null ? {} : { "aria-describedby": "playground-obstacle" })}
        onClick={onRunWanted}
        className="shadow-lg aria-disabled:bg-surface-hover aria-disabled:text-ink-muted aria-disabled:opacity-100"
      >
        {isStarting ? null : <Play aria-hidden />}
        {label}
        {obstacle === null ? null : (
          <span id="playground-obstacle" className="sr-only">
            {obstacle}
          </span>
        )}
      </Button>
    </Tooltip>
  );
}
