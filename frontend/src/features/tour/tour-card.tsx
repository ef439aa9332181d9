import { ArrowLeft, ArrowRight, X } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import type { Box } from "./use-anchor";

const MARGIN = 16;

/** Below what is shown, else above it, else in the corner: never over it if there is room. */
function placeFor(box: Box | null, card: { width: number; height: number }) {
  const corner = {
    top: Math.max(MARGIN, innerHeight - card.height - MARGIN),
    left: Math.max(MARGIN, innerWidth - card.width - MARGIN),
  };
  if (box === null) {
    return corner;
  }
  const left = Math.min(Math.max(MARGIN, box.left), corner.left);
  const below = box.top + box.height + MARGIN;
  if (below >= 0 && below <= corner.top) {
    return { top: below, left };
  }
  const above = box.top - card.height - MARGIN;
  return above >= MARGIN ? { top: above, left } : corner;
}

export interface TourCardProps {
  title: string;
  number: number;
  count: number;
  /** Part of the page that the step is about. */
  box: Box | null;
  /** Null on the first step. */
  onBack: (() => void) | null;
  onNext: () => void;
  onEnded: () => void;
  nextLabel: string;
  children: ReactNode;
}

/** A step of the tour. Takes the focus; the page stays usable. */
export function TourCard(props: TourCardProps) {
  const { title, number, count, box, onBack, onNext, onEnded, nextLabel, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 352, height: 220 });
  useEffect(() => {
    const element = card.current;
    element?.focus({ preventScroll: true });
    if (element !== null) {
      setSize({ width: element.offsetWidth, height: element.offsetHeight });
    }
  }, [number]);
  const onKeyDown = (event: KeyboardEvent) => {
    const act = {
      Escape: onEnded,
      ArrowRight: onNext,
      ArrowLeft: onBack,
      Enter: event.target === card.current ? onNext : null,
    }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  };
  return (
    <div
      ref={card}
      role="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      tabIndex={-1}
      style={placeFor(box, size)}
      onKeyDown={onKeyDown}
      className="fixed z-50 grid w-88 max-w-[calc(100vw-2rem)] animate-fade-in gap-3 rounded-xl border border-border-strong bg-raised p-4 shadow-xl focus:outline-none"
    >
      <div className="flex items-start justify-between gap-3">
        <div className="grid gap-0.5">
          <p className="text-xs text-ink-muted tabular-nums">{t("tour.step", { number, count })}</p>
          <h2 id={`${id}-title`} className="text-sm font-semibold">
            {title}
          </h2>
        </div>
        <Button variant="ghost" size="sm" iconOnly aria-label={t("tour.end")} onClick={onEnded}>
          <X aria-hidden />
        </Button>
      </div>
      <p id={`${id}-text`} className="text-sm text-pretty text-ink-muted">
        {children}
      </p>
      <div className="flex items-center justify-between gap-2">
        <Button variant="ghost" size="sm" disabled={onBack === null} onClick={onBack ?? undefined}>
          <ArrowLeft aria-hidden />
          {t("tour.back")}
        </Button>
        <Button size="sm" onClick={onNext}>
          {nextLabel}
          <ArrowRight aria-hidden />
        </Button>
      </div>
    </div>
  );
}
