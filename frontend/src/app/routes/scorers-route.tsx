import { useNavigate, useSearch } from "@tanstack/react-router";
import { ScorersPage } from "@/features/scorers/scorers-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function ScorersRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const filters = useSearch({ from: "/signed-in/p/$slug/scorers" });
  const params = { slug: project.slug };
  return (
    <ScorersPage
      project={project}
      shows="scorers"
      filters={filters}
      onFiltersChanged={(next) =>
        void navigate({ to: "/p/$slug/scorers", params, search: definedOnly(next), replace: true })
      }
      onOpened={({ id }) =>
        void navigate({ to: "/p/$slug/scorers/$scorerId", params: { ...params, scorerId: id } })
      }
    />
  );
}

export function RubricsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const filters = useSearch({ from: "/signed-in/p/$slug/scorers/rubrics" });
  const params = { slug: project.slug };
  return (
    <ScorersPage
      project={project}
      shows="rubrics"
      filters={filters}
      onFiltersChanged={({ q, status }) =>
        void navigate({
          to: "/p/$slug/scorers/rubrics",
          params,
          search: definedOnly({ q, status }),
          replace: true,
        })
      }
      onOpened={({ id }) =>
        void navigate({
          to: "/p/$slug/scorers/rubrics/$rubricId",
          params: { ...params, rubricId: id },
        })
      }
    />
  );
}
