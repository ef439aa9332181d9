import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Siren, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MonitorAlert, Project } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { can } from "@/lib/permissions";
import { AlertActions } from "./alert-actions";
import { AlertBadges } from "./alert-badges";
import { AlertFacts } from "./alert-facts";
import { unresolvedQuery } from "./queries";

/** On the project's home, where the page is about more than alerts. */
const MOST_ON_HOME = 3;

export interface AlertBannerProps {
  project: Project;
  /** Only this monitor's alerts; all of the project by default. */
  monitorId?: string;
}

interface BannerProps extends AlertBannerProps {
  alert: MonitorAlert;
}

function Banner({ project, monitorId, alert }: BannerProps) {
  const isSevere = alert.severity === "alert";
  const Icon = isSevere ? Siren : TriangleAlert;
  const editable = can(project.role, "monitors.edit") && project.archived_at === null;
  return (
    <li
      className={cn(
        "grid gap-3 rounded-xl border p-4",
        isSevere ? "border-danger/40 bg-danger-bg/40" : "border-warning/40 bg-warning-bg/40",
      )}
    >
      <div className="flex items-start gap-3">
        <Icon
          aria-hidden
          className={cn("mt-0.5 size-5 shrink-0", isSevere ? "text-danger" : "text-warning")}
        />
        <div className="grid min-w-0 flex-1 gap-1">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="text-sm font-semibold wrap-anywhere">
              {monitorId === undefined ? (
                <Link
                  to="/p/$slug/monitors/$monitorId"
                  params={{ slug: project.slug, monitorId: alert.monitor.id }}
                  className="rounded-sm hover:underline"
                >
                  {alert.title}
                </Link>
              ) : (
                alert.title
              )}
            </h2>
            <AlertBadges alert={alert} />
          </div>
          <p className="text-sm text-pretty wrap-anywhere">{alert.message}</p>
          <AlertFacts alert={alert} />
        </div>
      </div>
      <AlertActions slug={project.slug} alert={alert} editable={editable} />
    </li>
  );
}

/** Unresolved alerts. Renders nothing without any. */
export function AlertBanner(props: AlertBannerProps) {
  const { project, monitorId } = props;
  const { t } = useTranslation();
  const alerts = useQuery(unresolvedQuery(project.slug, monitorId));
  const found = alerts.data ?? [];
  const shown = monitorId === undefined ? found.slice(0, MOST_ON_HOME) : found;
  if (shown.length === 0) {
    return <LoadError queries={[alerts]} />;
  }
  return (
    <section aria-label={t("alerts.title")} className="grid gap-3">
      <ul className="grid gap-3">
        {shown.map((alert) => (
          <Banner key={alert.id} {...props} alert={alert} />
        ))}
      </ul>
      {found.length > shown.length ? (
        <Button asChild variant="ghost" size="sm" className="justify-self-start">
          <Link to="/p/$slug/monitors/alerts" params={{ slug: project.slug }}>
            {t("alerts.showAll", { count: found.length })}
          </Link>
        </Button>
      ) : null}
    </section>
  );
}
