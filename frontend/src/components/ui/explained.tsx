import { CircleHelp } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn";
import { splitAtTerms, type Term } from "@/lib/terms";
import { Tooltip } from "./tooltip";

function Explanation({ term }: { term: Term }) {
  const { t } = useTranslation();
  return (
    <span className="grid gap-1 font-normal text-pretty">
      <span>{t(`terms.${term}.text`)}</span>
      <span className="opacity-80">{t(`terms.${term}.example`)}</span>
    </span>
  );
}

interface TermButtonProps {
  term: Term;
  children: ReactNode;
  className: string;
  /** Accessible name, if the content is an icon. */
  label?: string;
}

/** Shows the explanation of a term on hover, focus and click. */
function TermButton({ term, children, className, label }: TermButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Tooltip isOpen={isOpen} onOpenChanged={setOpen} content={<Explanation term={term} />}>
      <button
        type="button"
        aria-label={label}
        className={cn("cursor-help rounded-sm", className)}
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

function useParts(text: string) {
  const { t } = useTranslation();
  return useMemo(() => splitAtTerms(text, (term) => t(`terms.${term}.words`)), [text, t]);
}

/** A text whose statistical words explain themselves. Not for links, buttons and labels. */
export function Explained({ text }: { text: string }) {
  return useParts(text).map((part, at) =>
    part.term === null ? (
      part.text
    ) : (
      <TermButton
        key={at}
        term={part.term}
        className="text-left text-inherit underline decoration-dotted underline-offset-2 [font:inherit]"
      >
        {part.text}
      </TermButton>
    ),
  );
}

/** A button beside a label for each statistical word in it: a label cannot contain buttons. */
export function LabelTerms({ text }: { text: string }) {
  const { t } = useTranslation();
  return useParts(text).map((part, at) =>
    part.term === null ? null : (
      <TermButton
        key={at}
        term={part.term}
        label={t("ui.explain", { word: part.text })}
        className="text-ink-muted hover:text-ink"
      >
        <CircleHelp aria-hidden className="size-3.5" />
      </TermButton>
    ),
  );
}
