import { AlertBanner } from "@/features/alerts/alert-banner";
import { SpendCard } from "@/features/budgets/spend-card";
import { RecentExperimentsCard } from "@/features/experiments/recent-experiments-card";
import { HomePage } from "@/features/home/home-page";
import { RecentRunsCard } from "@/features/runs/recent-runs-card";
import { useProject } from "../project-context";

export function ProjectHomeRoute() {
  const project = useProject();
  const { slug } = project;
  return (
    <HomePage
      project={project}
      alerts={<AlertBanner project={project} />}
      runs={<RecentRunsCard slug={slug} />}
      experiments={<RecentExperimentsCard slug={slug} />}
      budgets={<SpendCard slug={slug} />}
    />
  );
}
