import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { choiceParam, definedOnly, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const auditRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/audit",
  staticData: {
    page: {
      key: "audit",
      guide: "getting-started",
      group: "configure",
      icon: ScrollText,
      shortcut: "g a",
      needs: "audit.read",
    },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      actor: textParam(search.actor),
      action: textParam(search.action),
      entity_type: textParam(search.entity_type),
      outcome: choiceParam(search.outcome, ["allowed", "denied"] as const),
      since: textParam(search.since),
      until: textParam(search.until),
    }),
  component: lazyRouteComponent(() => import("../routes/audit-route"), "AuditRoute"),
});

export const auditRoutes = [auditRoute] as const;
