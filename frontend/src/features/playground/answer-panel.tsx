import { Cpu } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Model, Project, RunDetail } from "@/api/types";
import { MissingModelsActions } from "@/components/missing-models";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { can } from "@/lib/permissions";
import { PlaygroundGrid } from "./grid/playground-grid";
import { addColumn, editColumn, removeColumn, withModels } from "./session";
import type { Metric, Session } from "./session";
import { filtersOf, writeSort, type PlaygroundView } from "./view";

export interface AnswerPanelProps {
  project: Project;
  session: Session;
  run: RunDetail | null;
  metric: Metric;
  versionsOf: string | null;
  view: PlaygroundView;
  isHistorical: boolean;
  allowed: boolean;
  hasModels: boolean;
  datasetName: string | null;
  onSessionChanged: (session: Session) => void;
  onViewChanged: (view: PlaygroundView) => void;
  onFiltersCleared: () => void;
  onLatestWanted: () => void;
}

function HistoricalBanner({ run, onLatestWanted }: { run: RunDetail; onLatestWanted: () => void }) {
  const { t } = useTranslation();
  const version = run.variants[0]?.version_label ?? "";
  return (
    <Alert
      tone="info"
      className="mx-3 mt-3 items-center"
      action={
        <Button variant="secondary" size="sm" onClick={onLatestWanted}>
          {t("playground.past.back")}
        </Button>
      }
    >
      {t("playground.past.shown", { name: run.name, version })}{" "}
      <RelativeTime iso={run.created_at} />
    </Alert>
  );
}

interface NoModelsProps {
  project: Project;
  onModelsAdded: (models: readonly Model[]) => void;
}

function NoModels({ project, onModelsAdded }: NoModelsProps) {
  const { t } = useTranslation();
  const mayConnect = can(project.role, "credentials.manage");
  return (
    <div className="p-4">
      <EmptyState
        icon={<Cpu />}
        title={t("playground.noModels.title")}
        description={t(mayConnect ? "playground.noModels.body" : "playground.noModels.ask")}
        action={
          mayConnect ? (
            <MissingModelsActions slug={project.slug} onModelsAdded={onModelsAdded} />
          ) : undefined
        }
      />
    </div>
  );
}

/** Why the run is stopped, as the server's message. */
function Reason({ run }: { run: RunDetail }) {
  return run.message !== null && (run.state === "paused" || run.state === "failed") ? (
    <Alert tone={run.state === "failed" ? "danger" : "warning"} className="mx-3 mt-3">
      {run.message}
    </Alert>
  ) : null;
}

interface OtherDatasetProps {
  run: RunDetail;
  session: Session;
  /** Name of the chosen dataset; null for the row entered by hand. */
  chosen: string | null;
}

/** Says that the shown answers belong to another dataset than the chosen one. */
function OtherDataset({ run, session, chosen }: OtherDatasetProps) {
  const { t } = useTranslation();
  return session.datasetId === run.dataset_id ? null : (
    <Alert tone="warning" className="mx-3 mt-3">
      {t("playground.otherDataset", {
        run: run.dataset_name ?? t("playground.byHand"),
        chosen: chosen ?? t("playground.byHand"),
      })}
    </Alert>
  );
}

/** Answers with their toolbar. */
export function AnswerPanel(props: AnswerPanelProps) {
  const { project, session, run, view, allowed, onSessionChanged, onViewChanged } = props;
  if (!props.hasModels && run === null) {
    return (
      <NoModels
        project={project}
        onModelsAdded={(models) => onSessionChanged(withModels(session, models))}
      />
    );
  }
  const { columns } = session;
  return (
    <>
      {props.isHistorical && run !== null ? (
        <HistoricalBanner run={run} onLatestWanted={props.onLatestWanted} />
      ) : null}
      {run === null ? null : <Reason run={run} />}
      {run === null ? null : (
        <OtherDataset run={run} session={session} chosen={props.datasetName} />
      )}
      <div className="flex min-h-0 flex-1 flex-col p-3">
        <PlaygroundGrid
          project={project}
          run={run}
          columns={columns}
          metric={props.metric}
          versionsOf={props.versionsOf}
          hasGrader={(run?.scorers.length ?? 0) > 0}
          filters={filtersOf(view)}
          isHistorical={props.isHistorical}
          canEdit={allowed && !props.isHistorical}
          cases={{
            datasetId: session.datasetId,
            inputs: session.datasetId === null ? session.inputs : null,
            expected: session.expected,
          }}
          output={view.output}
          onOutputChanged={(output) => onViewChanged({ ...view, output })}
          onColumnAdded={(settings) =>
            onSessionChanged({ ...session, columns: addColumn(columns, settings) })
          }
          onColumnEdited={(key, settings) =>
            onSessionChanged({ ...session, columns: editColumn(columns, key, settings) })
          }
          onColumnRemoved={(key) =>
            onSessionChanged({ ...session, columns: removeColumn(columns, key) })
          }
          onFiltersCleared={props.onFiltersCleared}
          onSortChanged={(sort) => onViewChanged({ ...view, sort: writeSort(sort) })}
        />
      </div>
    </>
  );
}
