import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { AnnotatePage } from "@/features/annotation/annotate-page";
import { useProject } from "../project-context";

const FROM = "/signed-in/p/$slug/annotation/$queueId";

export function AnnotateRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { queueId } = useParams({ from: FROM });
  const { form = "plain" } = useSearch({ from: FROM });
  return (
    <AnnotatePage
      key={queueId}
      project={project}
      queueId={queueId}
      form={form}
      onFormChanged={(next) =>
        void navigate({
          to: "/p/$slug/annotation/$queueId",
          params: { slug: project.slug, queueId },
          search: { form: next },
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
