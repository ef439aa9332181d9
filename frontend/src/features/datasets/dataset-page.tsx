import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileUp, Gavel, Plus, Sparkles } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { variablesQuery } from "@/api/case-choices";
import type { Dataset, DatasetVariable, Project } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { CaseDrawer } from "./case-drawer";
import type { DatasetAddress } from "@/api/case-imports";
import { CasesTab } from "./cases-tab";
import { CoverageTab } from "./coverage-tab";
import { DatasetActions, ExportMenu } from "./dataset-actions";
import { DuplicatesDialog } from "./duplicates-dialog";
import { GenerateDialog } from "./generate-dialog";
import { ImportDialog } from "./import-dialog";
import { NewCaseDrawer } from "./new-case-drawer";
import type { DatasetOverlay } from "./overlay";
import { datasetQuery } from "./queries";
import { TagBadges } from "./tag-badges";
import type { CaseView } from "./view";

export type DatasetTab = "cases" | "coverage";

export interface DatasetPageProps {
  project: Project;
  datasetId: string;
  tab: DatasetTab;
  onTabChanged: (tab: DatasetTab) => void;
  view: CaseView;
  onViewChanged: (view: CaseView) => void;
  overlay: DatasetOverlay;
  onOverlayChanged: (overlay: DatasetOverlay) => void;
  onDeleted: () => void;
}

interface ShownProps extends DatasetPageProps {
  at: DatasetAddress;
  dataset: Dataset;
  variables: readonly DatasetVariable[];
  editable: boolean;
}

function HeaderActions(props: ShownProps) {
  const { at, dataset, editable, onOverlayChanged } = props;
  const { t } = useTranslation();
  return (
    <>
      {editable ? (
        <>
          <Button variant="secondary" onClick={() => onOverlayChanged({ generate: "synthetic" })}>
            <Sparkles aria-hidden />
            {t("datasets.generate.action")}
          </Button>
          <Button variant="secondary" onClick={() => onOverlayChanged({ import: true })}>
            <FileUp aria-hidden />
            {t("datasets.import.action")}
          </Button>
        </>
      ) : null}
      {dataset.case_count > 0 ? (
        <Button asChild variant="secondary">
          <Link
            to="/p/$slug/arena/questions"
            params={{ slug: at.slug }}
            search={{ dataset: dataset.id }}
          >
            <Gavel aria-hidden />
            {t("datasets.judge")}
          </Link>
        </Button>
      ) : null}
      {dataset.case_count > 0 ? <ExportMenu at={at} /> : null}
      {editable ? (
        <Button onClick={() => onOverlayChanged({ add: true })}>
          <Plus aria-hidden />
          {t("datasets.add.action")}
        </Button>
      ) : null}
      <DatasetActions {...props} />
    </>
  );
}

function Overlays({ at, variables, editable, overlay, onOverlayChanged }: ShownProps) {
  const onClosed = () => onOverlayChanged({});
  const shared = { at, variables, editable, onClosed };
  if (overlay.case !== undefined) {
    return <CaseDrawer {...shared} caseId={overlay.case} />;
  }
  if (overlay.duplicates === true) {
    return <DuplicatesDialog {...shared} />;
  }
  if (!editable) {
    return null;
  }
  if (overlay.import === true) {
    return <ImportDialog at={at} onClosed={onClosed} />;
  }
  if (overlay.generate !== undefined) {
    return (
      <GenerateDialog
        at={at}
        variables={variables}
        kind={overlay.generate}
        gap={overlay.gap}
        generationId={overlay.generation}
        onOverlayChanged={onOverlayChanged}
      />
    );
  }
  return overlay.add === true ? <NewCaseDrawer {...shared} /> : null;
}

function ShownDataset(props: ShownProps) {
  const { project, dataset, editable, tab, onTabChanged } = props;
  const { t } = useTranslation();
  useDocumentTitle(dataset.name, project.name);
  return (
    <div className="grid gap-6">
      <div className="grid gap-3">
        <BackLink to="/p/$slug/datasets" slug={project.slug}>
          {t("datasets.title")}
        </BackLink>
        <PageHeader
          title={dataset.name}
          description={dataset.description}
          badges={
            <>
              <Badge tone="outline">{t(`datasets.origins.${dataset.kind}`)}</Badge>
              <TagBadges tags={dataset.tags} />
            </>
          }
          actions={<HeaderActions {...props} />}
        />
      </div>
      {dataset.archived_at !== null ? (
        <Alert tone="warning" live={false}>
          {t("datasets.isArchived")}
        </Alert>
      ) : editable ? null : (
        <Alert tone="info" live={false}>
          {t("datasets.readOnly")}
        </Alert>
      )}
      <Tabs
        label={t("datasets.parts")}
        value={tab}
        onValueChanged={onTabChanged}
        tabs={[
          { value: "cases", label: t("datasets.cases"), content: <CasesTab {...props} /> },
          {
            value: "coverage",
            label: t("datasets.coverage.title"),
            content: <CoverageTab {...props} />,
          },
        ]}
      />
      <Overlays {...props} />
    </div>
  );
}

export function DatasetPage(props: DatasetPageProps) {
  const { project, datasetId } = props;
  const at = { slug: project.slug, datasetId };
  const dataset = useQuery(datasetQuery(project.slug, datasetId));
  const variables = useQuery(variablesQuery(project.slug, datasetId));
  const failed = [dataset, variables].find((query) => query.isError);
  let content: ReactNode = <TableSkeleton rows={8} />;
  if (dataset.data !== undefined && variables.data !== undefined) {
    const editable = can(project.role, "datasets.edit") && dataset.data.archived_at === null;
    content = (
      <ShownDataset
        {...props}
        at={at}
        dataset={dataset.data}
        variables={variables.data}
        editable={editable}
      />
    );
  } else if (failed !== undefined) {
    content = <ProblemState isPage error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  return content;
}
