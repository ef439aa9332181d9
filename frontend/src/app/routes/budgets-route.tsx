import { useNavigate, useSearch } from "@tanstack/react-router";
import { BudgetsPage } from "@/features/budgets/budgets-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function BudgetsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const view = useSearch({ from: "/signed-in/p/$slug/budgets" });
  return (
    <BudgetsPage
      project={project}
      view={view}
      onViewChanged={(change) =>
        void navigate({
          to: "/p/$slug/budgets",
          params: { slug: project.slug },
          search: definedOnly({ ...view, ...change }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
