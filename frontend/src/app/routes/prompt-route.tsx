import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { PromptPage } from "@/features/prompts/prompt-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function PromptRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { promptId } = useParams({ from: "/signed-in/p/$slug/prompts/$promptId" });
  const view = useSearch({ from: "/signed-in/p/$slug/prompts/$promptId" });
  const { slug } = project;
  return (
    <PromptPage
      project={project}
      promptId={promptId}
      view={view}
      onViewChanged={(next) =>
        void navigate({
          to: "/p/$slug/prompts/$promptId",
          params: { slug, promptId },
          search: definedOnly(next),
          replace: true,
        })
      }
      onPromptOpened={(prompt) =>
        void navigate({
          to: "/p/$slug/prompts/$promptId",
          params: { slug, promptId: prompt.id },
        })
      }
      onLeft={() =>
        void navigate({ to: "/p/$slug/prompts", params: { slug }, ignoreBlocker: true })
      }
    />
  );
}
