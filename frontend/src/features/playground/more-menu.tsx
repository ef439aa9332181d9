import { Link, useNavigate } from "@tanstack/react-router";
import { Download, Ellipsis, FlaskConical, Link2, ListChecks, Radar } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { EXPORT_FORMATS, exportAddress } from "@/api/run-export";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu";
import { toast } from "@/components/ui/toast";
import type { Session } from "./session";
import { useTurnIntoExperiment } from "./turn-into-experiment";
import { filtersOf, sharedView, type PlaygroundView } from "./view";

export interface MoreMenuProps {
  slug: string;
  session: Session;
  runId: string | null;
  /** Whether the user may create experiments. */
  allowed: boolean;
  view: PlaygroundView;
  shareAddress: (view: PlaygroundView) => string;
}

/** Creates an experiment and opens it; null while there is no prompt. */
function useExperiment({ slug, session }: Pick<MoreMenuProps, "slug" | "session">) {
  const navigate = useNavigate();
  const turn = useTurnIntoExperiment(slug);
  const { promptId } = session;
  const begin = async (known: Session & { promptId: string }) => {
    try {
      const experimentId = await turn.mutateAsync(known);
      const to = "/p/$slug/experiments/$experimentId/setup";
      await navigate({ to, params: { slug, experimentId } });
    } catch (error) {
      toast.error(problemMessage(error));
    }
  };
  return {
    isBeginning: turn.isPending,
    begin: promptId === null ? null : () => void begin({ ...session, promptId }),
  };
}

/** Further actions on the shown run. */
export function MoreMenu(props: MoreMenuProps) {
  const { slug, runId, view, allowed, shareAddress } = props;
  const { t } = useTranslation();
  const { begin, isBeginning } = useExperiment(props);
  const navigate = useNavigate();
  // The form is filled from the run, which holds models and scorers; before a run, from the prompt.
  const { promptId } = props.session;
  const source = runId !== null ? { run: runId } : promptId === null ? null : { prompt: promptId };
  const addToMonitor = () => {
    if (source !== null) {
      void navigate({ to: "/p/$slug/monitors/new", params: { slug }, search: source });
    }
  };
  const share = async (id: string) => {
    try {
      await navigator.clipboard.writeText(shareAddress(sharedView(view, id)));
      toast.success(t("playground.share.done"), { duration: 3000 });
    } catch {
      toast.error(t("ui.copyFailed"));
    }
  };
  return (
    <Menu
      className="w-64"
      trigger={
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          loading={isBeginning}
          aria-label={t("playground.more.label")}
        >
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {runId === null ? (
        <MenuItem disabled>{t("playground.more.nothing")}</MenuItem>
      ) : (
        <>
          <MenuItem onSelect={() => void share(runId)}>
            <Link2 aria-hidden />
            {t("playground.share.action")}
          </MenuItem>
          {EXPORT_FORMATS.map((format) => (
            <MenuItem key={format} asChild>
              <a href={exportAddress(slug, runId, format, filtersOf(view))} download>
                <Download aria-hidden />
                {t(`playground.more.${format}`)}
              </a>
            </MenuItem>
          ))}
          <MenuSeparator />
          <MenuItem asChild>
            <Link to="/p/$slug/runs/$runId" params={{ slug, runId }}>
              <ListChecks aria-hidden />
              {t("playground.more.run")}
            </Link>
          </MenuItem>
        </>
      )}
      {allowed ? (
        <MenuItem disabled={begin === null} onSelect={() => begin?.()}>
          <FlaskConical aria-hidden />
          {t("playground.more.experiment")}
        </MenuItem>
      ) : null}
      {allowed ? (
        <MenuItem disabled={source === null} onSelect={() => addToMonitor()}>
          <Radar aria-hidden />
          {t("playground.more.monitor")}
        </MenuItem>
      ) : null}
    </Menu>
  );
}
