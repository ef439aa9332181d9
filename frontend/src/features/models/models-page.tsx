import { useQuery } from "@tanstack/react-query";
import { Boxes, FileCode, PlugZap, Plus, Scale, Scissors } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { credentialsQuery } from "@/api/credentials";
import { modelsQuery } from "@/api/models";
import { problemMessage } from "@/api/problem-message";
import type { Credential, Model, ModelAvailability, Project } from "@/api/types";
import { MissingModelsActions } from "@/components/missing-models";
import { NoMatch } from "@/components/listing/no-match";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { TableSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { AvailabilityButton } from "./availability";
import { filterAndSort, type ModelView } from "./arrange";
import { ModelFilterBar } from "./model-filters";
import { ModelOverlays } from "./model-overlays";
import { ModelTable } from "./model-table";
import { CHOOSE, type ModelOverlay } from "./overlay";
import { availabilityQuery } from "./queries";
import { RegistryDialog } from "./registry-dialog";
import { WhichModelCard } from "./which-model-card";

export interface ModelsPageProps {
  project: Project;
  view: ModelView;
  onViewChanged: (view: ModelView) => void;
  overlay: ModelOverlay;
  onOverlayChanged: (overlay: ModelOverlay) => void;
  onModelsImported: () => void;
}

function NoModels(props: ModelsPageProps & { credentials: readonly Credential[] }) {
  const { project, credentials, onOverlayChanged } = props;
  const { t } = useTranslation();
  if (credentials.length === 0) {
    const connects = can(project.role, "credentials.manage");
    return (
      <EmptyState
        icon={<PlugZap />}
        title={t("models.empty.noProvider")}
        description={connects ? t("models.empty.connect") : t("models.empty.askAdmin")}
        action={connects ? <MissingModelsActions slug={project.slug} /> : undefined}
      />
    );
  }
  const manages = can(project.role, "models.manage");
  return (
    <EmptyState
      icon={<Boxes />}
      title={t("models.empty.title")}
      description={manages ? t("models.empty.import") : t("models.empty.askEditor")}
      action={
        manages ? (
          <Button onClick={() => onOverlayChanged({ import: CHOOSE })}>
            <Plus aria-hidden />
            {t("models.add.action")}
          </Button>
        ) : undefined
      }
    />
  );
}

interface ModelListProps extends ModelsPageProps {
  models: readonly Model[];
  credentials: readonly Credential[];
  availability: readonly ModelAvailability[];
}

function ModelList(props: ModelListProps) {
  const { project, models, credentials, view, onViewChanged, onOverlayChanged } = props;
  const { t } = useTranslation();
  if (models.length === 0) {
    return <NoModels {...props} />;
  }
  const shown = filterAndSort(models, view);
  return (
    <div className="grid gap-4">
      <ModelFilterBar models={models} view={view} onViewChanged={onViewChanged} />
      <p role="status" className="sr-only">
        {t("models.found", { count: shown.length })}
      </p>
      {shown.length === 0 ? (
        <NoMatch onFiltersCleared={() => onViewChanged({ sort: view.sort })} />
      ) : (
        <ModelTable
          slug={project.slug}
          models={shown}
          credentials={credentials}
          availability={props.availability}
          editable={can(project.role, "models.manage")}
          triable={can(project.role, "models.try")}
          onModelOpened={(model) => onOverlayChanged({ model: model.id })}
          onTryWanted={(model) => onOverlayChanged({ try: model.id })}
        />
      )}
    </div>
  );
}

interface HeaderActionsProps extends ModelsPageProps {
  isChecking: boolean;
  onChecked: () => void;
}

function HeaderActions({ project, onOverlayChanged, ...check }: HeaderActionsProps) {
  const { t } = useTranslation();
  const [isFileOpen, setFileOpen] = useState(false);
  return (
    <>
      <AvailabilityButton {...check} />
      <Button variant="secondary" onClick={() => setFileOpen(true)}>
        <FileCode aria-hidden />
        {t("registry.action")}
      </Button>
      {isFileOpen ? (
        <RegistryDialog
          slug={project.slug}
          editable={can(project.role, "credentials.manage")}
          onClosed={() => setFileOpen(false)}
        />
      ) : null}
      <Button variant="secondary" onClick={() => onOverlayChanged({ advice: "balanced" })}>
        <Scale aria-hidden />
        {t("models.advice.balanced.action")}
      </Button>
      <Button variant="secondary" onClick={() => onOverlayChanged({ advice: "costly" })}>
        <Scissors aria-hidden />
        {t("models.advice.costly.action")}
      </Button>
      <Button onClick={() => onOverlayChanged({ import: CHOOSE })}>
        <Plus aria-hidden />
        {t("models.add.action")}
      </Button>
    </>
  );
}

export function ModelsPage(props: ModelsPageProps) {
  const { project } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("models.title"), project.name);
  const models = useQuery(modelsQuery(project.slug));
  const credentials = useQuery(credentialsQuery(project.slug));
  const check = useQuery(availabilityQuery(project.slug));
  const manages = can(project.role, "models.manage");
  const failed = [models, credentials].find((query) => query.isError);
  const hasModels = models.data !== undefined && models.data.length > 0;
  let content: ReactNode = <TableSkeleton rows={6} />;
  if (failed !== undefined) {
    content = <ProblemState error={failed.error} onRetry={() => void failed.refetch()} />;
  } else if (models.data !== undefined && credentials.data !== undefined) {
    const found = { models: models.data, credentials: credentials.data };
    content = (
      <>
        {hasModels ? <WhichModelCard slug={project.slug} /> : null}
        {check.isError ? <Alert tone="danger">{problemMessage(check.error)}</Alert> : null}
        <ModelList {...props} {...found} availability={check.data ?? []} />
        <ModelOverlays {...props} {...found} />
      </>
    );
  }
  return (
    <div className="grid gap-6">
      <PageHeader
        title={t("models.title")}
        description={t("models.description")}
        actions={
          manages && hasModels ? (
            <HeaderActions
              {...props}
              isChecking={check.isFetching}
              onChecked={() =>
                void check.refetch().then(({ data }) => {
                  const states = data?.map(({ state }) => state) ?? [];
                  const unknown = states.filter((state) => state === "unknown").length;
                  if (data !== undefined && !states.includes("missing")) {
                    toast.success(
                      unknown === 0
                        ? t("registry.allOffered")
                        : t("registry.unknown", { count: unknown }),
                    );
                  }
                })
              }
            />
          ) : null
        }
      />
      {manages ? null : (
        <Alert tone="info" live={false}>
          {t("models.readOnly")}
        </Alert>
      )}
      {content}
    </div>
  );
}
