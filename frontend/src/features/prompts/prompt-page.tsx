import { useQuery } from "@tanstack/react-query";
import { ProblemState } from "@/components/problem-state";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { PromptWorkbench } from "./prompt-workbench";
import type { PromptPageProps } from "./prompt-view";
import { promptQuery } from "@/api/prompts";

function PromptSkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-6">
        <Skeleton className="h-7 w-64" />
        <Skeleton className="h-5 w-80" />
        <Skeleton className="h-96 rounded-lg" />
      </div>
    </LoadingStatus>
  );
}

export function PromptPage(props: PromptPageProps) {
  const { project, promptId } = props;
  const prompt = useQuery(promptQuery(project.slug, promptId));
  useDocumentTitle(prompt.data?.name, project.name);
  if (prompt.isPending) {
    return <PromptSkeleton />;
  }
  if (prompt.data === undefined) {
    return <ProblemState isPage error={prompt.error} onRetry={() => void prompt.refetch()} />;
  }
  return <PromptWorkbench key={prompt.data.id} {...props} prompt={prompt.data} />;
}
