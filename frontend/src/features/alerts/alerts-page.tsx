import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Siren } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MonitorAlert, Project } from "@/api/types";
import { FilterBar, FilterSelect } from "@/components/listing/filter-bar";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { LoadError } from "@/components/load-error";
import { MonitorTabs } from "@/components/monitor-tabs";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { isFiltered } from "@/lib/search";
import { AlertActions } from "./alert-actions";
import { AlertBadges } from "./alert-badges";
import { AlertFacts } from "./alert-facts";
import { ALERT_RULES, ALERT_SEVERITIES, ALERT_STATES, type AlertFilters } from "./alert-view";
import { alertsQuery, monitorChoicesQuery } from "./queries";

export interface AlertsPageProps {
  project: Project;
  filters: AlertFilters;
  onFiltersChanged: (filters: AlertFilters) => void;
}

function Filters({ project, filters, onFiltersChanged }: AlertsPageProps) {
  const { t } = useTranslation();
  const monitors = useQuery(monitorChoicesQuery(project.slug));
  const change = (part: AlertFilters) => onFiltersChanged({ ...filters, ...part });
  return (
    <>
      <FilterBar
        label={t("alerts.filters.label")}
        search={t("alerts.filters.search")}
        q={filters.q}
        onSearched={(q) => change({ q })}
      >
        <FilterSelect
          label={t("alerts.filters.state")}
          anything={t("alerts.filters.unresolved")}
          value={filters.state}
          options={ALERT_STATES.map((value) => ({ value, label: t(`alerts.states.${value}`) }))}
          onChosen={(state) => change({ state })}
        />
        <FilterSelect
          label={t("alerts.filters.rule")}
          anything={t("alerts.filters.anyRule")}
          value={filters.rule}
          options={ALERT_RULES.map((value) => ({ value, label: t(`alerts.rules.${value}`) }))}
          onChosen={(rule) => change({ rule })}
        />
        <FilterSelect
          label={t("alerts.filters.severity")}
          anything={t("alerts.filters.anySeverity")}
          value={filters.severity}
          options={ALERT_SEVERITIES.map((value) => ({
            value,
            label: t(`alerts.severities.${value}`),
          }))}
          onChosen={(severity) => change({ severity })}
        />
        <FilterSelect
          label={t("alerts.filters.monitor")}
          anything={t("alerts.filters.anyMonitor")}
          value={filters.monitor}
          options={(monitors.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChosen={(monitor) => change({ monitor })}
        />
      </FilterBar>
      <LoadError queries={[monitors]} />
    </>
  );
}

interface AlertCardProps {
  slug: string;
  alert: MonitorAlert;
  editable: boolean;
}

function AlertCard({ slug, alert, editable }: AlertCardProps) {
  const { t } = useTranslation();
  const { monitor, check_id: check } = alert;
  return (
    <Card className="grid gap-3 p-5">
      <div className="grid gap-1.5">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 className="min-w-0 text-sm font-semibold wrap-anywhere">
            <Link
              to="/p/$slug/monitors/$monitorId"
              params={{ slug, monitorId: monitor.id }}
              search={check === null ? {} : { check }}
              className="rounded-sm hover:text-accent-ink hover:underline"
            >
              {alert.title}
            </Link>
          </h2>
          <AlertBadges alert={alert} />
        </div>
        <p className="text-sm text-pretty wrap-anywhere">{alert.message}</p>
        <p className="text-xs text-ink-muted">
          {monitor.name} · {t(`alerts.rules.${alert.rule}`)}
        </p>
        <AlertFacts alert={alert} />
      </div>
      <AlertActions slug={slug} alert={alert} editable={editable} />
    </Card>
  );
}

/** All alerts of a project; unresolved ones by default. */
export function AlertsPage(props: AlertsPageProps) {
  const { project, filters, onFiltersChanged } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("alerts.title"), project.name);
  const alerts = useInfiniteQuery(alertsQuery(project.slug, filters));
  const editable = can(project.role, "monitors.edit") && project.archived_at === null;
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader title={t("alerts.title")} description={t("alerts.description")} />
      <MonitorTabs slug={project.slug} />
      <Filters {...props} />
      <PagedList
        query={alerts}
        empty={
          isFiltered(filters) ? (
            <NoMatch onFiltersCleared={() => onFiltersChanged({})} />
          ) : (
            <EmptyState
              icon={<Siren />}
              title={t("alerts.empty.title")}
              description={t("alerts.empty.body")}
            />
          )
        }
      >
        {(items) => (
          <ul aria-label={t("alerts.title")} className="grid gap-4">
            {items.map((alert) => (
              <li key={alert.id}>
                <AlertCard slug={project.slug} alert={alert} editable={editable} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  );
}
