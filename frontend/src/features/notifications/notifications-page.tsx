import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BellOff, CheckCheck, Settings2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { notificationKindsQuery } from "@/api/notification-kinds";
import { projectChoicesQuery } from "@/api/projects";
import { useChange } from "@/api/use-change";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { useDocumentTitle } from "@/lib/hooks";
import { isFiltered } from "@/lib/search";
import { NotificationList, NotificationSkeleton } from "./notification-list";
import { notificationsQuery, unreadCountQuery, type NotificationFilters } from "./queries";

export interface NotificationsPageProps {
  filters: NotificationFilters;
  onFiltersChanged: (filters: NotificationFilters) => void;
}

const ALL = "all";
type ReadFilter = "all" | "unread";

function FilterBar({ filters, onFiltersChanged }: NotificationsPageProps) {
  const { t } = useTranslation();
  const projects = useQuery(projectChoicesQuery).data ?? [];
  const kinds = useQuery(notificationKindsQuery).data?.items ?? [];
  return (
    <div
      role="search"
      aria-label={t("notifications.filters.label")}
      className="flex flex-wrap items-center gap-3"
    >
      <Segmented<ReadFilter>
        label={t("notifications.filters.readness")}
        value={filters.unread === undefined ? ALL : "unread"}
        options={[
          { value: ALL, label: t("notifications.filters.all") },
          { value: "unread", label: t("notifications.filters.unread") },
        ]}
        onValueChanged={(value) =>
          onFiltersChanged({ ...filters, unread: value === "unread" ? true : undefined })
        }
      />
      <div className="w-56">
        <Select
          aria-label={t("notifications.filters.kind")}
          value={filters.kind ?? ALL}
          options={[
            { value: ALL, label: t("notifications.filters.anyKind") },
            ...kinds.map(({ kind, label }) => ({ value: kind, label })),
          ]}
          onValueChanged={(value) =>
            onFiltersChanged({ ...filters, kind: value === ALL ? undefined : value })
          }
        />
      </div>
      <div className="w-56">
        <Select
          aria-label={t("notifications.filters.project")}
          value={filters.project ?? ALL}
          options={[
            { value: ALL, label: t("notifications.filters.anyProject") },
            ...projects.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValueChanged={(value) =>
            onFiltersChanged({ ...filters, project: value === ALL ? undefined : value })
          }
        />
      </div>
    </div>
  );
}

function NoneShown({ filters, onFiltersChanged }: NotificationsPageProps) {
  const { t } = useTranslation();
  return isFiltered(filters) ? (
    <NoMatch onFiltersCleared={() => onFiltersChanged({})} />
  ) : (
    <EmptyState
      icon={<BellOff />}
      title={t("notifications.empty")}
      description={t("notifications.emptyHint")}
    />
  );
}

function Listing(props: NotificationsPageProps) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    ...notificationsQuery(props.filters),
    placeholderData: keepPreviousData,
  });
  const skeleton = (
    <Card>
      <NotificationSkeleton count={6} />
    </Card>
  );
  return (
    <PagedList query={list} empty={<NoneShown {...props} />} skeleton={skeleton}>
      {(notifications) => (
        <Card className="overflow-hidden">
          <NotificationList label={t("notifications.title")} notifications={notifications} />
        </Card>
      )}
    </PagedList>
  );
}

function Actions() {
  const { t } = useTranslation();
  const unread = useQuery(unreadCountQuery).data?.count ?? 0;
  const markAll = useChange("post", "/notifications/read-all", {});
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        variant="secondary"
        disabled={unread === 0}
        loading={markAll.isPending}
        onClick={() =>
          markAll.mutate(undefined, {
            onSuccess: () => toast.success(t("notifications.allRead")),
            onError: (error) => toast.error(problemMessage(error)),
          })
        }
      >
        <CheckCheck aria-hidden />
        {t("notifications.markAllRead")}
      </Button>
      <Button variant="ghost" asChild>
        <Link to="/account" search={{ tab: "notifications" }}>
          <Settings2 aria-hidden />
          {t("notifications.preferences.action")}
        </Link>
      </Button>
    </div>
  );
}

export function NotificationsPage(props: NotificationsPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("notifications.title"));
  return (
    <div className="mx-auto grid w-full max-w-4xl gap-6">
      <PageHeader
        title={t("notifications.title")}
        description={t("notifications.description")}
        actions={<Actions />}
      />
      <FilterBar {...props} />
      <Listing {...props} />
    </div>
  );
}
