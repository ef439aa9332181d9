import { useNavigate, useSearch } from "@tanstack/react-router";
import { ProjectsPage } from "@/features/projects/projects-page";
import { definedOnly } from "@/lib/search";
import { PageShell } from "../shell/page-shell";

export function ProjectsRoute() {
  const navigate = useNavigate();
  const { create, ...filters } = useSearch({ from: "/signed-in/projects" });
  return (
    <PageShell>
      <ProjectsPage
        filters={filters}
        creating={create === true}
        onFiltersChanged={({ q, role, status }) =>
          void navigate({
            to: "/projects",
            search: definedOnly({ q, role, status: status === "active" ? undefined : status }),
            replace: true,
          })
        }
        onCreatingChanged={(creating) =>
          void navigate({
            to: "/projects",
            search: creating ? { ...filters, create: true } : filters,
            replace: true,
          })
        }
        onProjectCreated={(project) =>
          void navigate({ to: "/p/$slug", params: { slug: project.slug } })
        }
      />
    </PageShell>
  );
}
