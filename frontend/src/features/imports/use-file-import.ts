import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sendImport, type ImportChoice } from "@/api/imports";
import { keys } from "@/api/keys";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { FileImport } from "@/api/imports";

const FIRST: ImportChoice = { format: null, existing: "refuse", graderId: null };

interface Sent {
  file: File;
  choice: ImportChoice;
}

/** The message of a refusal, with the field where the message does not say it. */
function explain(error: Error): string {
  const { fields } = asProblem(error);
  const lines = fields.map(({ field, message }) =>
    field === "file" || field === "" ? message : `${field}: ${message}`,
  );
  return lines.length === 0 ? problemMessage(error) : lines.join("\n");
}

/** A file with its preview; each change of the choice makes a new preview. */
export function useFileImport(slug: string) {
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<Sent | null>(null);
  const [share, setShare] = useState(0);
  const send = ({ file, choice }: Sent, isPreview: boolean) => {
    setShare(0);
    return sendImport(slug, file, choice, {
      isPreview,
      signal: new AbortController().signal,
      onProgress: setShare,
    });
  };
  // Kept while the next preview is made, so that the choices do not move.
  const [seen, setSeen] = useState<FileImport | null>(null);
  const preview = useMutation({
    mutationFn: (sent: Sent) => send(sent, true),
    onSuccess: setSeen,
  });
  const store = useMutation({
    mutationFn: (sent: Sent) => send(sent, false),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.project(slug) }),
  });
  const show = (next: Sent) => {
    setChosen(next);
    store.reset();
    preview.mutate(next);
  };
  const error = store.error ?? preview.error;
  return {
    file: chosen?.file ?? null,
    choice: chosen?.choice ?? FIRST,
    share,
    isReading: preview.isPending,
    isStoring: store.isPending,
    preview: seen,
    result: store.data,
    refusal: error === null ? null : explain(error),
    choose: (file: File) => {
      setSeen(null);
      show({ file, choice: FIRST });
    },
    change: (part: Partial<ImportChoice>) => {
      if (chosen !== null) {
        show({ ...chosen, choice: { ...chosen.choice, ...part } });
      }
    },
    store: () => {
      if (chosen !== null) {
        store.mutate(chosen);
      }
    },
    forget: () => {
      setChosen(null);
      setSeen(null);
      preview.reset();
      store.reset();
    },
  };
}
