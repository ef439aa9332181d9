import { useQuery } from "@tanstack/react-query";
import { Radar } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Monitor, MonitorDraft, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { keys } from "@/api/keys";
import { BackLink } from "@/components/back-link";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { draftQuery, MONITOR, monitorQuery, type DraftSource } from "../queries";
import {
  changesOf,
  draftOfMonitor,
  draftOfNew,
  requestOf,
  type MonitorFormDraft,
} from "./monitor-draft";
import { MonitorForm } from "./monitor-form";

interface FormPageProps {
  project: Project;
  onSaved: (monitorId: string) => void;
}

export interface NewMonitorPageProps extends FormPageProps {
  /** What the form is filled from. */
  source: DraftSource;
}

/** Only shown to members who may not edit. */
function AskEditor({ title }: { title: string }) {
  const { t } = useTranslation();
  return <EmptyState icon={<Radar />} title={title} description={t("monitors.empty.askEditor")} />;
}

function mayEdit({ role, archived_at }: Project): boolean {
  return can(role, "monitors.edit") && archived_at === null;
}

function NewForm({ project, draft, onSaved }: FormPageProps & { draft: MonitorDraft }) {
  const { t } = useTranslation();
  const { slug } = project;
  const create = useChange(
    "post",
    "/projects/{project}/monitors",
    { project: slug },
    { also: [keys.budgets(slug)] },
  );
  const save = async (wanted: MonitorFormDraft) => {
    const body = requestOf(wanted);
    if (body !== null) {
      const made = await create.mutateAsync({ body });
      toast.success(t("monitors.created", { name: made.name }));
      onSaved(made.id);
    }
  };
  return (
    <>
      {(draft.problems ?? []).length === 0 ? null : (
        <Alert tone="info" live={false}>
          {(draft.problems ?? []).join(" ")}
        </Alert>
      )}
      <MonitorForm
        slug={slug}
        initial={draftOfNew(draft)}
        submitLabel={t("monitors.create")}
        save={save}
      />
    </>
  );
}

/** Creates a monitor, from nothing, a run or a prompt. */
export function NewMonitorPage({ project, source, onSaved }: NewMonitorPageProps) {
  const { t } = useTranslation();
  const title = t("monitors.new");
  useDocumentTitle(title, project.name);
  const draft = useQuery({ ...draftQuery(project.slug, source), enabled: mayEdit(project) });
  if (!mayEdit(project)) {
    return <AskEditor title={title} />;
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/p/$slug/monitors" slug={project.slug}>
        {t("monitors.all")}
      </BackLink>
      <PageHeader title={title} description={t("monitors.form.description")} />
      {draft.data !== undefined ? (
        <NewForm project={project} draft={draft.data} onSaved={onSaved} />
      ) : draft.isPending ? (
        <FormSkeleton fields={6} />
      ) : (
        <ProblemState
          error={draft.error}
          retrying={draft.isFetching}
          onRetry={() => void draft.refetch()}
        />
      )}
    </div>
  );
}

export interface EditMonitorPageProps extends FormPageProps {
  monitorId: string;
}

function EditForm({ project, monitor, onSaved }: FormPageProps & { monitor: Monitor }) {
  const { t } = useTranslation();
  const { slug } = project;
  useDocumentTitle(t("monitors.edit", { name: monitor.name }), project.name);
  const change = useChange(
    "patch",
    MONITOR,
    { project: slug, monitor_id: monitor.id },
    { also: [keys.budgets(slug)] },
  );
  const save = async (wanted: MonitorFormDraft, opened: MonitorFormDraft) => {
    const body = changesOf(opened, wanted);
    if (body !== null && Object.keys(body).length > 0) {
      await change.mutateAsync({ body });
      toast.success(t("monitors.saved", { name: wanted.name }));
    }
    onSaved(monitor.id);
  };
  return (
    <>
      <PageHeader
        title={t("monitors.edit", { name: monitor.name })}
        description={t("monitors.form.editDescription")}
      />
      <MonitorForm
        slug={slug}
        initial={draftOfMonitor(monitor)}
        monitorId={monitor.id}
        submitLabel={t("ui.save")}
        save={save}
      />
    </>
  );
}

/** Changes a monitor; the next check uses the new settings. */
export function EditMonitorPage({ project, monitorId, onSaved }: EditMonitorPageProps) {
  const { t } = useTranslation();
  // Not refreshed while it is edited.
  const monitor = useQuery({
    ...monitorQuery({ project: project.slug, monitor_id: monitorId }),
    refetchInterval: false,
  });
  if (!mayEdit(project)) {
    return <AskEditor title={t("monitors.title")} />;
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/p/$slug/monitors" slug={project.slug}>
        {t("monitors.all")}
      </BackLink>
      {monitor.data !== undefined ? (
        <EditForm key={monitorId} project={project} monitor={monitor.data} onSaved={onSaved} />
      ) : monitor.isPending ? (
        <FormSkeleton fields={6} />
      ) : (
        <ProblemState
          isPage
          error={monitor.error}
          retrying={monitor.isFetching}
          onRetry={() => void monitor.refetch()}
        />
      )}
    </div>
  );
}
