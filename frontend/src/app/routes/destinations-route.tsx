import { DestinationsPage } from "@/features/destinations/destinations-page";
import { useProject } from "../project-context";

export function DestinationsRoute() {
  return <DestinationsPage project={useProject()} />;
}
