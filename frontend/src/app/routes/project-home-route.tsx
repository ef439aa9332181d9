import { AlertBanner } from "@/features/alerts/alert-banner";
import { ProjectHomePage } from "@/features/projects/project-home-page";
import { useProject } from "../project-context";

export function ProjectHomeRoute() {
  const project = useProject();
  return <ProjectHomePage project={project} alerts={<AlertBanner project={project} />} />;
}
