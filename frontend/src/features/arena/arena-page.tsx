import { useQuery } from "@tanstack/react-query";
import { Download, Swords } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { dropDataset } from "@/api/new-dataset";
import type { BoardDataset } from "@/api/arena";
import type { Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { Explained } from "@/components/ui/explained";
import { PageHeader } from "@/components/ui/page-header";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { ArenaTabs } from "./arena-tabs";
import { BoardFilters } from "./board-filters";
import { BoardHeadlineCard } from "./board-headline";
import { BoardTable } from "./board-table";
import { chosenSets, sortRows, type BoardView } from "./board-view";
import { FirstBoard } from "./first-board";
import { ParetoChart } from "./pareto-chart";
import { BOARD_FORMATS, boardDatasetsQuery, boardQuery, exportAddress } from "./queries";
import { RescoreMenu } from "./rescore-menu";
import { RunsInProgress } from "./runs-in-progress";
import { StartDialog } from "./start/start-dialog";
import { EMPTY_START, type StartDraft } from "./start/start-draft";

export interface ArenaPageProps {
  project: Project;
  view: BoardView;
  onViewChanged: (view: BoardView) => void;
  onRunOpened: (runId: string) => void;
}

function BoardSkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-5">
        <Skeleton className="h-10 w-72" />
        <Skeleton className="h-24 rounded-xl" />
        <Skeleton className="h-80 rounded-lg" />
      </div>
    </LoadingStatus>
  );
}

interface BoardPanelProps extends ArenaPageProps {
  datasets: readonly BoardDataset[];
  editable: boolean;
}

/** The board of the chosen datasets; by default of the newest on which models can be compared. */
function BoardPanel({ project, datasets, editable, view, onViewChanged }: BoardPanelProps) {
  const { slug } = project;
  const { t } = useTranslation();
  const known = chosenSets(view).filter((id) => datasets.some((each) => each.dataset_id === id));
  const usual = datasets.find(({ models }) => models > 1) ?? datasets[0];
  const chosen = known.length > 0 || usual === undefined ? known : [usual.dataset_id];
  const board = useQuery(boardQuery(slug, view, chosen));
  return (
    <>
      <BoardFilters
        datasets={datasets}
        chosen={chosen}
        board={board.data}
        view={view}
        onViewChanged={onViewChanged}
      />
      {board.isError ? (
        <ProblemState
          error={board.error}
          retrying={board.isFetching}
          onRetry={() => void board.refetch()}
        />
      ) : board.data === undefined ? (
        <BoardSkeleton />
      ) : (
        <div
          aria-busy={board.isPlaceholderData}
          className={
            board.isPlaceholderData ? "grid grid-cols-1 gap-5 opacity-60" : "grid grid-cols-1 gap-5"
          }
        >
          <BoardHeadlineCard board={board.data} />
          <div className="grid grid-cols-1 gap-2">
            <BoardTable board={board.data} rows={sortRows(board.data.rows, view.sort ?? "score")} />
            <div className="flex flex-wrap items-center justify-between gap-3 text-xs text-ink-muted">
              <p>
                <Explained text={t("arena.tableNote")} />
              </p>
              <span className="flex flex-wrap gap-1">
                {editable ? <RescoreMenu slug={slug} datasetIds={chosen} /> : null}
                {BOARD_FORMATS.map((format) => (
                  <Button key={format} asChild variant="ghost" size="sm">
                    <a href={exportAddress(slug, view, chosen, format)} download>
                      <Download aria-hidden />
                      {t(`arena.formats.${format}`)}
                    </a>
                  </Button>
                ))}
              </span>
            </div>
          </div>
          <ParetoChart rows={board.data.rows} />
        </div>
      )}
    </>
  );
}

interface Starting {
  draft: StartDraft;
  /** The dataset was created for the dialog, and is deleted when it is cancelled. */
  isSample: boolean;
}

/** Models ranked on datasets. */
export function ArenaPage(props: ArenaPageProps) {
  const { project, onRunOpened } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const [starting, setStarting] = useState<Starting | null>(null);
  const datasets = useQuery(boardDatasetsQuery(slug));
  const editable = can(project.role, "runs.start") && project.archived_at === null;
  const isEmpty = datasets.data?.length === 0;
  useDocumentTitle(t("arena.title"), project.name);
  const cancel = () => {
    if (starting?.isSample === true) {
      void dropDataset(slug, starting.draft.datasetId);
    }
    setStarting(null);
  };
  return (
    <div className="grid grid-cols-1 gap-5">
      <PageHeader
        title={t("arena.title")}
        description={t("arena.description")}
        actions={
          editable && !isEmpty ? (
            <Button onClick={() => setStarting({ draft: EMPTY_START, isSample: false })}>
              <Swords aria-hidden />
              {t("arena.start.action")}
            </Button>
          ) : null
        }
      />
      <ArenaTabs slug={slug} />
      <RunsInProgress slug={slug} />
      {datasets.isError ? (
        <ProblemState
          error={datasets.error}
          retrying={datasets.isFetching}
          onRetry={() => void datasets.refetch()}
        />
      ) : datasets.data === undefined ? (
        <BoardSkeleton />
      ) : isEmpty ? (
        <FirstBoard
          project={project}
          editable={editable}
          onStartWanted={(draft, isSample) => setStarting({ draft, isSample })}
        />
      ) : (
        <BoardPanel {...props} datasets={datasets.data} editable={editable} />
      )}
      {starting === null ? null : (
        <StartDialog
          project={project}
          first={starting.draft}
          onClosed={cancel}
          onStarted={(runId) => {
            setStarting(null);
            // The first board appears here when the run completes.
            if (!isEmpty) {
              onRunOpened(runId);
            }
          }}
        />
      )}
    </div>
  );
}
