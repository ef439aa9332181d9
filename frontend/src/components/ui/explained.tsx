import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { splitAtTerms, type Term } from "@/lib/terms";
import { Tooltip } from "./tooltip";

/** A word with its explanation, on hover, focus and click. Not for use in links, buttons and labels. */
function ExplainedWord({ term, children }: { term: Term; children: ReactNode }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Tooltip
      isOpen={isOpen}
      onOpenChanged={setOpen}
      content={
        <span className="grid gap-1 font-normal text-pretty">
          <span>{t(`terms.${term}.text`)}</span>
          <span className="opacity-80">{t(`terms.${term}.example`)}</span>
        </span>
      }
    >
      <button
        type="button"
        className="cursor-help rounded-sm text-left text-inherit underline decoration-dotted underline-offset-2 [font:inherit]"
        onClick={(event) => {
          // Radix would close it; on touch screens a tap is the only way to open it.
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children}
      </button>
    </Tooltip>
  );
}

/** A text whose statistical words explain themselves. */
export function Explained({ text }: { text: string }) {
  const { t } = useTranslation();
  const parts = useMemo(() => splitAtTerms(text, (term) => t(`terms.${term}.words`)), [text, t]);
  return parts.map((part, at) =>
    part.term === null ? (
      part.text
    ) : (
      <ExplainedWord key={at} term={part.term}>
        {part.text}
      </ExplainedWord>
    ),
  );
}
