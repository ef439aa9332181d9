import { useNavigate, useSearch } from "@tanstack/react-router";
import { ProvidersPage } from "@/features/providers/providers-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function ProvidersRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { add, next } = useSearch({ from: "/signed-in/p/$slug/settings/providers" });
  const params = { slug: project.slug };
  return (
    <ProvidersPage
      project={project}
      adding={add ?? null}
      onAddingChanged={(adding) =>
        void navigate({
          to: "/p/$slug/settings/providers",
          params,
          search: adding === null ? {} : definedOnly({ add: adding, next }),
          replace: true,
        })
      }
      onModelsWanted={(credential) =>
        void navigate({
          to: "/p/$slug/models",
          params,
          search: definedOnly({ import: credential.id, next }),
        })
      }
    />
  );
}
