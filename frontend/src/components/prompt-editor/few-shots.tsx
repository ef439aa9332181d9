import { Plus, MessagesSquare } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { EditorLanguage } from "@/components/editor/extensions";
import { useOrdering } from "@/components/ordering/use-ordering";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { MOST_FEW_SHOTS, type FewShot, type Occurrence } from "./content";
import { FewShotCard } from "./few-shot-card";

export interface FewShotsProps {
  fewShots: readonly FewShot[];
  language: EditorLanguage;
  editable: boolean;
  shown: Occurrence | undefined;
  onChanged: (fewShots: readonly FewShot[]) => void;
  onBlurred: () => void;
}

export function FewShots(props: FewShotsProps) {
  const { fewShots, language, editable, shown, onChanged, onBlurred } = props;
  const { t } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  const { move, announcement, drag } = useOrdering({
    list,
    items: fewShots,
    announce: (places) => t("prompts.fewShots.moved", places),
    onChanged,
  });
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
