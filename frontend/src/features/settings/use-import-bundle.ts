import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { importBundle, type OnExisting } from "@/api/bundles";
import { keys } from "@/api/keys";
import { Problem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";

interface Sending {
  name: string;
  /** Uploaded share, 0 to 1. */
  share: number;
}

/** Uploads a bundle; `refusal` names the part of the file that was refused. */
export function useImportBundle(slug: string) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [sending, setSending] = useState<Sending | null>(null);
  const change = useMutation({
    mutationFn: ({ file, existing }: { file: File; existing: OnExisting }) =>
      importBundle(slug, file, existing, {
        signal: new AbortController().signal,
        onProgress: (share) => setSending({ name: file.name, share }),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.project(slug) }),
    onSettled: () => setSending(null),
  });
  const explain = (error: Error) => {
    const message = problemMessage(error);
    const isWrong = error instanceof Problem && error.code === "VALIDATION_ERROR";
    const part = isWrong ? error.path : null;
    return part === null || part === "file"
      ? message
      : t("settings.bundles.part", { part, message });
  };
  return {
    sending,
    result: change.data,
    refusal: change.error === null ? null : explain(change.error),
    send: (file: File, existing: OnExisting) => {
      setSending({ name: file.name, share: 0 });
      change.mutate({ file, existing });
    },
  };
}
