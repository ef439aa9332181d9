import { useQuery } from "@tanstack/react-query";
import { PlugZap, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { credentialsQuery, providersQuery } from "@/api/credentials";
import type { Credential, Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { TableSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { AddCredentialDialog } from "./add-credential-dialog";
import { CredentialTable } from "./credential-table";

export interface ProvidersPageProps {
  project: Project;
  /** "choose" while the picker is open, then the provider's key; null when closed. */
  adding: string | null;
  onAddingChanged: (adding: string | null) => void;
  onModelsWanted: (credential: Credential) => void;
}

export const CHOOSE = "choose";

function CredentialList({ project, adding, onAddingChanged, onModelsWanted }: ProvidersPageProps) {
  const { t } = useTranslation();
  const providers = useQuery(providersQuery(project.slug));
  const credentials = useQuery(credentialsQuery(project.slug));
  const editable = can(project.role, "credentials.manage");
  const failed = [providers, credentials].find((query) => query.isError);
  if (failed !== undefined) {
    return <ProblemState error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  if (providers.data === undefined || credentials.data === undefined) {
    return <TableSkeleton rows={3} />;
  }
  return (
    <>
      {credentials.data.length === 0 ? (
        <EmptyState
          icon={<PlugZap />}
          title={t("providers.empty.title")}
          description={editable ? t("providers.empty.body") : t("providers.empty.readOnly")}
          action={
            editable ? (
              <Button onClick={() => onAddingChanged(CHOOSE)}>
                <Plus aria-hidden />
                {t("providers.add.action")}
              </Button>
            ) : undefined
          }
        />
      ) : (
        <CredentialTable
          slug={project.slug}
          credentials={credentials.data}
          providers={providers.data}
          editable={editable}
        />
      )}
      {editable && adding !== null ? (
        <AddCredentialDialog
          slug={project.slug}
          providers={providers.data}
          credentials={credentials.data}
          chosen={adding === CHOOSE ? null : adding}
          onChosenChanged={(key) => onAddingChanged(key ?? CHOOSE)}
          onModelsWanted={onModelsWanted}
          onClosed={() => onAddingChanged(null)}
        />
      ) : null}
    </>
  );
}

export function ProvidersPage(props: ProvidersPageProps) {
  const { project, onAddingChanged } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("providers.title"), project.name);
  const editable = can(project.role, "credentials.manage");
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid max-w-2xl gap-1">
          <h2 className="text-sm font-semibold">{t("providers.title")}</h2>
          <p className="text-sm text-pretty text-ink-muted">{t("providers.description")}</p>
        </div>
        {editable ? (
          <Button onClick={() => onAddingChanged(CHOOSE)}>
            <Plus aria-hidden />
            {t("providers.add.action")}
          </Button>
        ) : null}
      </div>
      {editable ? null : (
        <Alert tone="info" live={false}>
          {t("providers.readOnly")}
        </Alert>
      )}
      <CredentialList {...props} />
    </div>
  );
}
