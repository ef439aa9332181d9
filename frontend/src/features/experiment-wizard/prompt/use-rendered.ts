import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { problemMessage } from "@/api/problem-message";
import { contentPreviewQuery } from "@/api/prompts";
import { bodyOf, type Content } from "@/components/prompt-editor/content";
import { useDebounced } from "@/lib/hooks";
import { withoutMarks } from "@/lib/frozen";
import { parseTemplate, readTyped, renderTemplate } from "@/lib/template";

export interface RenderedTexts {
  text: string;
  system: string;
  /** False while the server renders. */
  isCurrent: boolean;
  problem: string | null;
}

/** The main and system text with the values filled in. The server renders Nunjucks. */
export function useRendered(
  slug: string,
  content: Content,
  values: Readonly<Record<string, string>>,
): RenderedTexts {
  const isNunjucks = content.syntax === "nunjucks";
  const wanted = useMemo(() => ({ content, values }), [content, values]);
  const settled = useDebounced(wanted);
  const preview = useQuery({
    ...contentPreviewQuery(slug, {
      ...bodyOf(settled.content, []),
      inputs: readTyped(settled.values),
    }),
    enabled: isNunjucks && settled.content.syntax === "nunjucks",
  });
  if (!isNunjucks) {
    const written = (text: string) =>
      renderTemplate(parseTemplate(withoutMarks(text), content.syntax), values);
    return {
      text: written(content.text),
      system: written(content.system),
      isCurrent: true,
      problem: null,
    };
  }
  return {
    text: preview.data?.messages.at(-1)?.text ?? "",
    system: preview.data?.system ?? "",
    isCurrent: settled === wanted && preview.isSuccess && !preview.isPlaceholderData,
    problem: preview.isError ? problemMessage(preview.error) : null,
  };
}
