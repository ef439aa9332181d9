import { Plus, MessagesSquare } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EditorLanguage } from "@/components/editor/extensions";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { MOST_FEW_SHOTS, moved, type FewShot, type Occurrence } from "./content";
import { FewShotCard } from "./few-shot-card";
import { useDragOrder } from "@/lib/use-drag-order";

export interface FewShotsProps {
  fewShots: readonly FewShot[];
  language: EditorLanguage;
  editable: boolean;
  shown: Occurrence | undefined;
  onChanged: (fewShots: readonly FewShot[]) => void;
  onBlurred: () => void;
}

/** Says what was moved, and gives the focus back that a moved element loses. */
function useMoves(fewShots: readonly FewShot[], onChanged: FewShotsProps["onChanged"]) {
  const { t } = useTranslation();
  const [announcement, setAnnouncement] = useState("");
  const focused = useRef<string | null>(null);
  useEffect(() => {
    if (focused.current !== null) {
      document.getElementById(`move-${focused.current}`)?.focus();
      focused.current = null;
    }
  }, [fewShots]);
  const move = (from: number, to: number) => {
    const item = fewShots[from];
    if (item === undefined || to < 0 || to >= fewShots.length || from === to) {
      return;
    }
    focused.current = item.key;
    setAnnouncement(t("prompts.fewShots.moved", { from: from + 1, to: to + 1 }));
    onChanged(moved(fewShots, from, to));
  };
  return { move, announcement };
}

export function FewShots(props: FewShotsProps) {
  const { fewShots, language, editable, shown, onChanged, onBlurred } = props;
  const { t } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  const { move, announcement } = useMoves(fewShots, onChanged);
  const drag = useDragOrder(list, move);
  const isFull = fewShots.length >= MOST_FEW_SHOTS;
  const add = () => onChanged([...fewShots, { key: crypto.randomUUID(), user: "", assistant: "" }]);
  const addButton = (
    <Button variant="secondary" disabled={isFull} onClick={add}>
      <Plus aria-hidden />
      {t("prompts.fewShots.add")}
    </Button>
  );
  if (fewShots.length === 0) {
    return (
      <EmptyState
        icon={<MessagesSquare />}
        title={t("prompts.fewShots.none")}
        description={t("prompts.fewShots.noneHint")}
        action={editable ? addButton : undefined}
      />
    );
  }
  return (
    <div className="grid gap-4">
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ol ref={list} className="grid gap-4">
        {fewShots.map((fewShot, index) => (
          <FewShotCard
            key={fewShot.key}
            fewShot={fewShot}
            index={index}
            count={fewShots.length}
            language={language}
            editable={editable}
            dragged={drag.dragged === index}
            shown={shown?.fewShot?.key === fewShot.key ? shown : undefined}
            handleProps={drag.handleProps(index)}
            onMoved={(to) => move(index, to)}
            onChanged={(next) =>
              onChanged(fewShots.map((item) => (item.key === next.key ? next : item)))
            }
            onRemoved={() => onChanged(fewShots.filter((item) => item.key !== fewShot.key))}
            onBlurred={onBlurred}
          />
        ))}
      </ol>
      {editable ? (
        <div className="flex flex-wrap items-center gap-3">
          {addButton}
          <span className="text-xs text-ink-muted">
            {t("prompts.fewShots.count", { count: fewShots.length, most: MOST_FEW_SHOTS })}
          </span>
        </div>
      ) : null}
    </div>
  );
}
