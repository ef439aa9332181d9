import { useTranslation } from "react-i18next";
import type { TextOption } from "@/api/types";
import { Markdown } from "@/components/markdown";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";

export interface TextChoicesProps {
  texts: readonly TextOption[];
  /** Whether the texts are Markdown or plain text. */
  isMarkdown: boolean;
  onChosen: (option: TextOption) => void;
}

function Plain({ title, text }: { title: string; text: string }) {
  return (
    <pre
      tabIndex={0}
      aria-label={title}
      dir="auto"
      className="max-h-72 overflow-y-auto rounded-md bg-surface p-3 text-xs leading-5 wrap-anywhere whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
}

/** Texts side by side, with notes. */
export function TextChoices({ texts, isMarkdown, onChosen }: TextChoicesProps) {
  const { t } = useTranslation();
  return (
    <ul className="grid min-w-0 gap-3">
      {texts.map((option, index) => (
        <li key={index} className="min-w-0">
          <Card>
            <CardHeader
              title={option.title}
              description={option.reason === "" ? undefined : option.reason}
              actions={
                <Button
                  size="sm"
                  aria-label={t("wizard.assist.useNamed", { title: option.title })}
                  onClick={() => onChosen(option)}
                >
                  {t("wizard.assist.use")}
                </Button>
              }
            />
            <CardContent className="grid min-w-0 gap-3 text-sm">
              {option.system == null ? null : (
                <Plain title={t("prompts.parts.system")} text={option.system} />
              )}
              {isMarkdown ? (
                <Markdown text={option.text} />
              ) : (
                <Plain title={option.title} text={option.text} />
              )}
            </CardContent>
          </Card>
        </li>
      ))}
    </ul>
  );
}
