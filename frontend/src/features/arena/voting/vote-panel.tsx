import { SkipForward, Undo2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ShownChoice, VotingMatch } from "@/api/arena";
import { inputText } from "@/components/grid/case-header";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { useShortcuts } from "@/lib/shortcuts";

/** Each choice with its two keys. */
const CHOICES = [
  { choice: "first", letter: "a", digit: "1" },
  { choice: "second", letter: "b", digit: "2" },
  { choice: "tie", letter: "t", digit: "3" },
  { choice: "both_bad", letter: "x", digit: "4" },
] as const satisfies readonly { choice: ShownChoice; letter: string; digit: string }[];
const SKIP = { letter: "s", digit: "5" };
const UNDO = "u";

export interface VotePanelProps {
  match: VotingMatch;
  isSending: boolean;
  onVoted: (choice: ShownChoice) => void;
  onSkipped: () => void;
  onUndone: () => void;
}

function Inputs({ match }: { match: VotingMatch }) {
  const { t } = useTranslation();
  return (
    <section aria-label={t("voting.question")} className="grid gap-3">
      {Object.entries(match.inputs).map(([name, value]) => (
        <div key={name} className="grid gap-1">
          <h2 className="text-xs font-medium wrap-anywhere text-ink-muted">{name}</h2>
          <pre
            tabIndex={0}
            dir="auto"
            className="max-h-56 overflow-auto rounded-lg border border-border bg-surface p-3.5 font-sans text-sm leading-relaxed wrap-anywhere whitespace-pre-wrap"
          >
            {inputText(value)}
          </pre>
        </div>
      ))}
    </section>
  );
}

function Answer({ label, text }: { label: string; text: string }) {
  return (
    <section aria-label={label} className="grid min-w-0 content-start gap-2">
      <h2 className="text-sm font-semibold">{label}</h2>
      <p
        dir="auto"
        className="rounded-lg border border-border bg-raised p-5 text-base leading-relaxed wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </p>
    </section>
  );
}

/** Two answers to the same question, and the vote. Every command has a key. */
export function VotePanel({ match, isSending, onVoted, onSkipped, onUndone }: VotePanelProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    window.scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
  }, []);
  const unlessSending = (act: () => void) => () => (isSending ? undefined : act());
  useShortcuts(
    Object.fromEntries([
      ...CHOICES.flatMap(({ choice, letter, digit }) =>
        [letter, digit].map((key) => [key, unlessSending(() => onVoted(choice))] as const),
      ),
      [SKIP.letter, unlessSending(onSkipped)],
      [SKIP.digit, unlessSending(onSkipped)],
      [UNDO, unlessSending(onUndone)],
    ]),
    { ignoresRepeat: true },
  );
  return (
    <div className="grid gap-5">
      <p ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
        {t("voting.which")}
      </p>
      <Inputs match={match} />
      <div className="grid items-start gap-5 md:grid-cols-2">
        <Answer label={t("voting.first")} text={match.first} />
        <Answer label={t("voting.second")} text={match.second} />
      </div>
      <div
        role="group"
        aria-label={t("voting.vote")}
        className="sticky bottom-0 z-10 -mx-2 flex flex-wrap items-center justify-center gap-2 border-t border-border bg-bg px-2 py-3"
      >
        {CHOICES.map(({ choice, letter, digit }) => (
          <Button
            key={choice}
            variant={choice === "first" || choice === "second" ? "primary" : "secondary"}
            disabled={isSending}
            onClick={() => onVoted(choice)}
          >
            {t(`voting.choices.${choice}`)}
            <Kbd keys={`${letter.toUpperCase()} ${digit}`} />
          </Button>
        ))}
        <Button variant="ghost" disabled={isSending} onClick={onSkipped}>
          <SkipForward aria-hidden />
          {t("voting.skip")}
          <Kbd keys={`${SKIP.letter.toUpperCase()} ${SKIP.digit}`} />
        </Button>
        <Button variant="ghost" disabled={isSending} onClick={onUndone}>
          <Undo2 aria-hidden />
          {t("voting.undo")}
          <Kbd keys={UNDO.toUpperCase()} />
        </Button>
      </div>
    </div>
  );
}
