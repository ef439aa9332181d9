import { useQueryClient } from "@tanstack/react-query";
import { promptQuery, sendDraft } from "@/api/prompts";
import type { Prompt } from "@/api/types";
import { useSaver } from "@/components/draft-saving/use-saver";
import { bodyOf } from "./content";
import { savingBy, type DraftSaver, type DraftState } from "./draft-state";

export interface Draft {
  state: DraftState;
  saver: DraftSaver;
}

/** Draft of the open prompt. */
export function useDraft(slug: string, prompt: Prompt): Draft {
  const queryClient = useQueryClient();
  return useSaver(
    prompt.draft,
    savingBy(async (content, { tools, version }) => {
      const draft = await sendDraft(slug, prompt.id, { ...bodyOf(content, tools), version });
      queryClient.setQueryData(promptQuery(slug, prompt.id).queryKey, (known) =>
        known === undefined ? undefined : { ...known, draft },
      );
      return draft;
    }),
  );
}
