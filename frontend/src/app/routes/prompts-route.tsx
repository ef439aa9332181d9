import { useNavigate, useSearch } from "@tanstack/react-router";
import { PromptsPage } from "@/features/prompts/prompts-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function PromptsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { create, ...filters } = useSearch({ from: "/signed-in/p/$slug/prompts" });
  const params = { slug: project.slug };
  return (
    <PromptsPage
      project={project}
      filters={filters}
      onFiltersChanged={(next) =>
        void navigate({
          to: "/p/$slug/prompts",
          params,
          search: definedOnly(next),
          replace: true,
        })
      }
      creating={create === true}
      onCreatingChanged={(creating) =>
        void navigate({
          to: "/p/$slug/prompts",
          params,
          search: creating ? { ...filters, create: true } : filters,
          replace: true,
        })
      }
      onPromptOpened={(prompt) =>
        void navigate({
          to: "/p/$slug/prompts/$promptId",
          params: { ...params, promptId: prompt.id },
        })
      }
    />
  );
}
