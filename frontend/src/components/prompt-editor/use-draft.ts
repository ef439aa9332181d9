import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useConnectivity } from "@/api/connectivity";
import { keys } from "@/api/keys";
import type { DraftChange, DraftRead, Prompt } from "@/api/types";
import { DraftSaver } from "./draft-saver";
import type { DraftState } from "./draft-state";
import { sendDraft } from "@/api/prompts";

export interface Draft {
  state: DraftState;
  saver: DraftSaver;
}

/** The draft of the prompt whose page is open; saved whenever the page is left. */
export function useDraft(slug: string, prompt: Prompt): Draft {
  const queryClient = useQueryClient();
  const connectivity = useConnectivity();
  const [saver] = useState(() => {
    const send = async (change: DraftChange): Promise<DraftRead> => {
      const draft = await sendDraft(slug, prompt.id, change);
      queryClient.setQueryData<Prompt>(keys.prompt(slug, prompt.id), (known) =>
        known === undefined ? undefined : { ...known, draft },
      );
      return draft;
    };
    return new DraftSaver(prompt.draft, send);
  });
  const state = useSyncExternalStore(saver.subscribe, saver.getState);
  useEffect(() => saver.read(prompt.draft), [saver, prompt.draft]);
  useEffect(() => {
    if (connectivity === "online") {
      saver.retry();
    }
  }, [saver, connectivity]);
  useEffect(() => () => saver.close(), [saver]);
  return { state, saver };
}
