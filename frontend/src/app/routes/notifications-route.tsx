import { useNavigate, useSearch } from "@tanstack/react-router";
import { NotificationsPage } from "@/features/notifications/notifications-page";
import { definedOnly } from "@/lib/search";
import { PageShell } from "../shell/page-shell";

export function NotificationsRoute() {
  const navigate = useNavigate();
  const filters = useSearch({ from: "/signed-in/notifications" });
  return (
    <PageShell>
      <NotificationsPage
        filters={filters}
        onFiltersChanged={(next) =>
          void navigate({ to: "/notifications", search: definedOnly(next), replace: true })
        }
      />
    </PageShell>
  );
}
