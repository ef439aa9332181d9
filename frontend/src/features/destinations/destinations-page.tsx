import { useQuery } from "@tanstack/react-query";
import { Plus, Send } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notificationKindsQuery } from "@/api/notification-kinds";
import type { Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { TableSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { EditDialog } from "./destination-dialogs";
import { DestinationTable } from "./destination-table";
import { channelsQuery, destinationsQuery } from "./queries";

interface ListProps {
  slug: string;
  isAdding: boolean;
  onAddingChanged: (isAdding: boolean) => void;
}

function DestinationList({ slug, isAdding, onAddingChanged }: ListProps) {
  const { t } = useTranslation();
  const destinations = useQuery(destinationsQuery(slug));
  const channels = useQuery(channelsQuery(slug));
  const kinds = useQuery(notificationKindsQuery);
  const failed = [destinations, channels, kinds].find((query) => query.isError);
  if (failed !== undefined) {
    return <ProblemState error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  if (destinations.data === undefined || channels.data === undefined || kinds.data === undefined) {
    return <TableSkeleton rows={3} />;
  }
  const choices = { channels: channels.data.items, kinds: kinds.data.items };
  return (
    <>
      {destinations.data.length === 0 ? (
        <EmptyState
          icon={<Send />}
          title={t("destinations.empty.title")}
          description={t("destinations.empty.body")}
          action={
            <Button onClick={() => onAddingChanged(true)}>
              <Plus aria-hidden />
              {t("destinations.add.action")}
            </Button>
          }
        />
      ) : (
        <DestinationTable slug={slug} destinations={destinations.data} {...choices} />
      )}
      {isAdding ? (
        <EditDialog
          slug={slug}
          destination={null}
          {...choices}
          onClosed={() => onAddingChanged(false)}
        />
      ) : null}
    </>
  );
}

/** Where the project sends messages. */
export function DestinationsPage({ project }: { project: Project }) {
  const { t } = useTranslation();
  useDocumentTitle(t("destinations.title"), project.name);
  const [isAdding, setIsAdding] = useState(false);
  const editable = can(project.role, "destinations.manage");
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid max-w-2xl gap-1">
          <h2 className="text-sm font-semibold">{t("destinations.title")}</h2>
          <p className="text-sm text-pretty text-ink-muted">{t("destinations.description")}</p>
        </div>
        {editable ? (
          <Button onClick={() => setIsAdding(true)}>
            <Plus aria-hidden />
            {t("destinations.add.action")}
          </Button>
        ) : null}
      </div>
      {editable ? (
        <DestinationList slug={project.slug} isAdding={isAdding} onAddingChanged={setIsAdding} />
      ) : (
        <Alert tone="info" live={false}>
          {t("destinations.adminsOnly")}
        </Alert>
      )}
    </div>
  );
}
