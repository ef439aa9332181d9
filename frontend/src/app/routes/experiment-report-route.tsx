import { useParams } from "@tanstack/react-router";
import { ReportPage } from "@/features/experiments/report/report-page";
import { useProject } from "../project-context";

export function ExperimentReportRoute() {
  const project = useProject();
  const { experimentId } = useParams({
    from: "/signed-in/p/$slug/experiments/$experimentId/report",
  });
  return <ReportPage project={project} experimentId={experimentId} />;
}
