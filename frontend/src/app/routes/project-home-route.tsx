import { ProjectHomePage } from "@/features/projects/project-home-page";
import { useProject } from "../project-context";

export function ProjectHomeRoute() {
  return <ProjectHomePage project={useProject()} />;
}
