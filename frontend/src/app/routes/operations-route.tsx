import { OperationsPage } from "@/features/operations/operations-page";
import { useProject } from "../project-context";

export function OperationsRoute() {
  return <OperationsPage project={useProject()} />;
}
