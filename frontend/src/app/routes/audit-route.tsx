import { useNavigate, useSearch } from "@tanstack/react-router";
import { AuditPage } from "@/features/audit/audit-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function AuditRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const filters = useSearch({ from: "/signed-in/p/$slug/audit" });
  return (
    <AuditPage
      project={project}
      filters={filters}
      onFiltersChanged={(next) =>
        void navigate({
          to: "/p/$slug/audit",
          params: { slug: project.slug },
          search: definedOnly(next),
          replace: true,
        })
      }
    />
  );
}
