import { ImportPage } from "@/features/imports/import-page";
import { useProject } from "../project-context";

export function ImportRoute() {
  const project = useProject();
  return <ImportPage key={project.id} project={project} />;
}
