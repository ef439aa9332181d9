import { ChevronLeft, ChevronRight, ListPlus } from "lucide-react";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { SuggestionExemplar } from "@/api/types";
import { TextBlock } from "@/components/cell/text-block";
import { inputText } from "@/components/grid/case-header";
import { ScoreBadge } from "@/components/score-badge";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";

function Scores({ exemplar }: { exemplar: SuggestionExemplar }) {
  const { t } = useTranslation();
  // Weakest criterion first: it is why the answer was selected.
  const names = Object.keys(exemplar.scores).sort(
    (one, other) => (exemplar.scores[one] ?? 0) - (exemplar.scores[other] ?? 0),
  );
  return (
    <section aria-label={t("reviews.exemplars.scores")} className="grid gap-2">
      <h3 className="text-xs font-medium text-ink-muted">{t("reviews.exemplars.scores")}</h3>
      <ul className="grid gap-2.5 text-sm">
        {names.map((name) => (
          <li key={name} className="grid gap-0.5">
            <span className="flex items-center gap-2">
              <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
              {name === exemplar.weakest ? (
                <Badge tone="warning">{t("reviews.exemplars.weakest")}</Badge>
              ) : null}
              <span className="ml-auto">
                <ScoreBadge label={name} value={exemplar.scores[name] ?? null} passed={null} />
              </span>
            </span>
            {exemplar.rationales[name] ? (
              <span className="text-xs wrap-anywhere text-ink-muted">
                {exemplar.rationales[name]}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Exemplar({ exemplar }: { exemplar: SuggestionExemplar }) {
  const { t } = useTranslation();
  return (
    <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-2">
      <div className="grid min-w-0 gap-3">
        {exemplar.tags.length === 0 ? null : (
          <p className="flex flex-wrap gap-1.5">
            {exemplar.tags.map((tag) => (
              <Badge key={tag} tone="outline">
                {tag}
              </Badge>
            ))}
          </p>
        )}
        {Object.entries(exemplar.inputs).map(([name, value]) => (
          <TextBlock key={name} label={name} text={inputText(value)} />
        ))}
        {exemplar.expected === null ? null : (
          <TextBlock label={t("runs.dialog.expected")} text={exemplar.expected} />
        )}
      </div>
      <div className="grid min-w-0 gap-3">
        <TextBlock label={t("reviews.exemplars.output")} text={exemplar.output} />
        <Scores exemplar={exemplar} />
      </div>
    </div>
  );
}

export interface ExemplarsProps {
  exemplars: readonly SuggestionExemplar[];
  at: number;
  onMoved: (at: number) => void;
  /** Undefined when the user may not add cases. */
  onCopied?: ((exemplar: SuggestionExemplar) => void) | undefined;
}

/** Weak answers that the change should improve, one at a time. */
export function Exemplars({ exemplars, at, onMoved, onCopied }: ExemplarsProps) {
  const { t } = useTranslation();
  const exemplar = exemplars[at];
  const move = (step: 1 | -1) => onMoved((at + step + exemplars.length) % exemplars.length);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      move(event.key === "ArrowRight" ? 1 : -1);
    }
  };
  return (
    <section
      aria-labelledby="review-exemplars"
      aria-roledescription={t("reviews.exemplars.carousel")}
      className="grid min-w-0 content-start gap-4 rounded-xl border border-border bg-raised p-5"
      onKeyDown={onKeyDown}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="grid gap-0.5">
          <h2 id="review-exemplars" className="text-sm font-semibold">
            {t("reviews.exemplars.title")}
          </h2>
          <p className="text-sm text-ink-muted">{t("reviews.exemplars.hint")}</p>
        </div>
        {exemplar === undefined ? null : (
          <span className="ml-auto flex items-center gap-1.5">
            <span aria-hidden className="flex gap-1 pr-1 max-lg:hidden">
              <Kbd keys="k j" />
            </span>
            <Button
              variant="ghost"
              size="sm"
              iconOnly
              aria-label={t("reviews.exemplars.previous")}
              onClick={() => move(-1)}
            >
              <ChevronLeft aria-hidden />
            </Button>
            <span role="status" className="text-xs text-ink-muted tabular-nums">
              {t("reviews.exemplars.position", { at: at + 1, total: exemplars.length })}
            </span>
            <Button
              variant="ghost"
              size="sm"
              iconOnly
              aria-label={t("reviews.exemplars.next")}
              onClick={() => move(1)}
            >
              <ChevronRight aria-hidden />
            </Button>
          </span>
        )}
      </div>
      {exemplar === undefined ? (
        <p className="text-sm text-ink-muted">{t("reviews.exemplars.none")}</p>
      ) : (
        <>
          <Exemplar exemplar={exemplar} />
          {onCopied === undefined ? null : (
            <Button
              variant="ghost"
              size="sm"
              className="justify-self-start"
              onClick={() => onCopied(exemplar)}
            >
              <ListPlus aria-hidden />
              {t("reviews.exemplars.similar")}
            </Button>
          )}
        </>
      )}
    </section>
  );
}
