import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import type { Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { can } from "@/lib/permissions";
import { projectFamilies } from "./queries";

export interface DangerZoneProps {
  project: Project;
  onProjectDeleted: () => void;
}

function ArchiveRow({ project }: { project: Project }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const archived = typeof project.archived_at === "string";
  const words = archived ? "unarchive" : "archive";
  const archive = useChange(
    "post",
    `/projects/{project}/${words}`,
    { project: project.slug },
    projectFamilies(project.slug),
  );
  const run = () =>
    archive.mutate(undefined, {
      onSuccess: () => {
        setAsking(false);
        toast.success(t(`settings.danger.${words}.done`));
      },
    });
  return (
    <li className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
      <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
        <p className="font-medium">{t(`settings.danger.${words}.title`)}</p>
        <p className="text-sm text-ink-muted">{t(`settings.danger.${words}.body`)}</p>
      </div>
      <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
        {t(`settings.danger.${words}.action`)}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChanged={setAsking}
        title={t(`settings.danger.${words}.ask`, { name: project.name })}
        description={t(`settings.danger.${words}.body`)}
        confirmLabel={t(`settings.danger.${words}.action`)}
        tone="primary"
        loading={archive.isPending}
        error={archive.isError ? problemMessage(archive.error) : null}
        onConfirmed={run}
      />
    </li>
  );
}

function DeleteRow({ project, onProjectDeleted }: DangerZoneProps) {
  const { t } = useTranslation();
  const remove = useChange(
    "delete",
    "/projects/{project}",
    { project: project.slug },
    { refresh: [keys.projects] },
  );
  const [asking, setAsking] = useState(false);
  const run = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast.success(t("settings.danger.delete.done", { name: project.name }));
        onProjectDeleted();
      },
    });
  return (
    <li className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
      <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
        <p className="font-medium">{t("settings.danger.delete.title")}</p>
        <p className="text-sm text-ink-muted">{t("settings.danger.delete.body")}</p>
      </div>
      <Button variant="danger" size="sm" onClick={() => setAsking(true)}>
        {t("settings.danger.delete.action")}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChanged={setAsking}
        title={t("settings.danger.delete.ask", { name: project.name })}
        description={t("settings.danger.delete.body")}
        confirmLabel={t("settings.danger.delete.action")}
        // The demo holds no user data, so its name need not be typed.
        {...(project.is_demo ? {} : { typed: project.name })}
        loading={remove.isPending}
        error={remove.isError ? problemMessage(remove.error) : null}
        onConfirmed={run}
      />
    </li>
  );
}

export function DangerZone(props: DangerZoneProps) {
  const { t } = useTranslation();
  const { role } = props.project;
  if (!can(role, "project.archive")) {
    return null;
  }
  return (
    <Card variant="danger" aria-labelledby="danger-heading">
      <CardHeader
        id="danger-heading"
        title={t("settings.danger.title")}
        description={t("settings.danger.description")}
      />
      <ul className="mt-4 divide-y divide-border border-t border-border">
        <ArchiveRow project={props.project} />
        {can(role, "project.delete") ? <DeleteRow {...props} /> : null}
      </ul>
    </Card>
  );
}
