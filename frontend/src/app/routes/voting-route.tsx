import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { RoundPage } from "@/features/arena/voting/round-page";
import { VotingPage } from "@/features/arena/voting/voting-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function VotingRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { slug } = project;
  const filters = useSearch({ from: "/signed-in/p/$slug/arena/voting" });
  return (
    <VotingPage
      project={project}
      filters={filters}
      onFiltersChanged={({ q }) =>
        void navigate({
          to: "/p/$slug/arena/voting",
          params: { slug },
          search: definedOnly({ q }),
          replace: true,
        })
      }
      onOpened={(roundId) =>
        void navigate({ to: "/p/$slug/arena/voting/$roundId", params: { slug, roundId } })
      }
    />
  );
}

export function RoundRoute() {
  const { roundId } = useParams({ from: "/signed-in/p/$slug/arena/voting/$roundId" });
  return <RoundPage key={roundId} project={useProject()} roundId={roundId} />;
}
