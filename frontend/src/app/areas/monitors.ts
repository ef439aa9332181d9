import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Radar } from "lucide-react";
import { ALERT_RULES, ALERT_SEVERITIES, ALERT_STATES } from "@/features/alerts/alert-view";
import {
  CHECK_STATES,
  LIST_STATUSES,
  MONITOR_STATES,
  MONITOR_TABS,
  TREND_DAYS,
} from "@/features/monitors/monitor-view";
import { choiceParam, definedOnly, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const monitorsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/monitors",
  staticData: {
    page: { key: "monitors", guide: "monitors", group: "operate", icon: Radar, shortcut: "g w" },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      state: choiceParam(search.state, MONITOR_STATES),
      status: choiceParam(search.status, LIST_STATUSES),
    }),
  component: lazyRouteComponent(() => import("../routes/monitors-route"), "MonitorsRoute"),
});

const newMonitorRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/monitors/new",
  validateSearch: (search: RawSearch) =>
    definedOnly({ run: textParam(search.run), prompt: textParam(search.prompt) }),
  component: lazyRouteComponent(() => import("../routes/monitor-form-route"), "NewMonitorRoute"),
});

const alertsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/monitors/alerts",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      state: choiceParam(search.state, ALERT_STATES),
      rule: choiceParam(search.rule, ALERT_RULES),
      severity: choiceParam(search.severity, ALERT_SEVERITIES),
      monitor: textParam(search.monitor),
    }),
  component: lazyRouteComponent(() => import("../routes/alerts-route"), "AlertsRoute"),
});

const monitorRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/monitors/$monitorId",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      tab: choiceParam(search.tab, MONITOR_TABS),
      days: choiceParam(textParam(search.days), TREND_DAYS),
      state: choiceParam(search.state, CHECK_STATES),
      check: textParam(search.check),
    }),
  component: lazyRouteComponent(() => import("../routes/monitor-route"), "MonitorRoute"),
});

const editMonitorRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/monitors/$monitorId/edit",
  component: lazyRouteComponent(() => import("../routes/monitor-form-route"), "EditMonitorRoute"),
});

export const monitorRoutes = [
  monitorsRoute,
  newMonitorRoute,
  alertsRoute,
  monitorRoute,
  editMonitorRoute,
] as const;
