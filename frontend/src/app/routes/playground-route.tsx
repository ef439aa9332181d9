import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { PlaygroundPage } from "@/features/playground/playground-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

const TO = "/p/$slug/playground";

export function PlaygroundRoute() {
  const navigate = useNavigate();
  const router = useRouter();
  const project = useProject();
  const view = useSearch({ from: "/signed-in/p/$slug/playground" });
  const params = { slug: project.slug };
  return (
    <PlaygroundPage
      key={project.slug}
      project={project}
      view={view}
      onViewChanged={(next) =>
        void navigate({
          to: TO,
          params,
          search: definedOnly(next),
          // Opening an earlier run adds a history entry, so that Back returns from it.
          replace: next.run === view.run,
          resetScroll: false,
        })
      }
      shareAddress={(next) => {
        const { href } = router.buildLocation({ to: TO, params, search: definedOnly(next) });
        return new URL(href, window.location.origin).href;
      }}
    />
  );
}
