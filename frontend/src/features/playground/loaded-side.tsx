import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { promptQuery, promptsQuery } from "@/api/prompts";
import { ProblemState } from "@/components/problem-state";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { PromptSide, type PromptSideProps } from "./prompt-side";
import { PromptSwitcher } from "./prompt-switcher";
import type { Session } from "./session";

type SideProps = Omit<PromptSideProps, "prompt">;

/** The last used prompt, else the last changed one, else null. */
export function usePromptId(slug: string, session: Session) {
  const prompts = useInfiniteQuery({
    ...promptsQuery(slug, { kind: "generator" }),
    enabled: session.promptId === null,
  });
  return {
    promptId: session.promptId ?? prompts.data?.items[0]?.id ?? null,
    prompts,
  };
}

export function SideSkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-4 p-5">
        <Skeleton className="h-7 w-56" />
        <Skeleton className="h-5 w-72" />
        <Skeleton className="h-96 rounded-lg" />
      </div>
    </LoadingStatus>
  );
}

/** Editor side of a prompt that is loaded first. */
export function LoadedSide({ promptId, ...props }: SideProps & { promptId: string }) {
  const { project, onPromptChosen, onCreateWanted } = props;
  const prompt = useQuery(promptQuery(project.slug, promptId));
  useDocumentTitle(prompt.data?.name, project.name);
  if (prompt.data !== undefined) {
    return <PromptSide key={promptId} {...props} prompt={prompt.data} />;
  }
  if (prompt.isPending) {
    return <SideSkeleton />;
  }
  return (
    <div className="grid gap-4 p-5">
      <PromptSwitcher
        slug={project.slug}
        promptId={promptId}
        canCreate={props.allowed}
        onPromptChosen={onPromptChosen}
        onCreateWanted={onCreateWanted}
      />
      <ProblemState error={prompt.error} onRetry={() => void prompt.refetch()} />
    </div>
  );
}
