import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { diffWords } from "@/lib/word-diff";
import { TextBox } from "./text-block";

const LOOKS = {
  removed: "bg-danger-bg text-danger line-through decoration-1",
  added: "bg-success-bg text-success underline decoration-1 underline-offset-2",
} as const;

export interface WordDiffProps {
  before: string;
  after: string;
}

/** Inline diff of two texts: removed words are struck through, added words underlined. */
export function WordDiff({ before, after }: WordDiffProps) {
  const { t } = useTranslation();
  const parts = useMemo(() => diffWords(before, after), [before, after]);
  if (parts.every(({ kind }) => kind === "same")) {
    return <p className="text-sm text-ink-muted">{t("cell.diff.same")}</p>;
  }
  return (
    <TextBox>
      {parts.map(({ kind, text }, index) => {
        if (kind === "same") {
          return <span key={index}>{text}</span>;
        }
        const Part = kind === "added" ? "ins" : "del";
        return (
          <Part key={index} className={`rounded-xs ${LOOKS[kind]}`}>
            {text}
          </Part>
        );
      })}
    </TextBox>
  );
}
