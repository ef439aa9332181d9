import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { CodeEditor } from "@/components/editor/code-editor";
import type { EditorLanguage } from "@/components/editor/extensions";
import { MoveHandle } from "@/components/ordering/move-handle";
import type { HandleProps } from "@/components/ordering/use-drag-order";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import type { FewShot, Occurrence } from "./content";

const SIDES = ["user", "assistant"] as const;

export interface FewShotCardProps {
  fewShot: FewShot;
  index: number;
  count: number;
  language: EditorLanguage;
  editable: boolean;
  dragged: boolean;
  shown: Occurrence | undefined;
  handleProps: HandleProps;
  onMoved: (to: number) => void;
  onChanged: (fewShot: FewShot) => void;
  onRemoved: () => void;
  onBlurred: () => void;
}

function CardActions(props: FewShotCardProps) {
  const { fewShot, index, count, handleProps, onMoved, onRemoved } = props;
  const { t } = useTranslation();
  const number = index + 1;
  return (
    <div className="flex items-center gap-1">
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        disabled={index === 0}
        aria-label={t("prompts.fewShots.up", { number })}
        onClick={() => onMoved(index - 1)}
      >
        <ArrowUp aria-hidden />
      </Button>
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        disabled={index === count - 1}
        aria-label={t("prompts.fewShots.down", { number })}
        onClick={() => onMoved(index + 1)}
      >
        <ArrowDown aria-hidden />
      </Button>
      <MoveHandle
        itemKey={fewShot.key}
        index={index}
        label={t("prompts.fewShots.drag", { number })}
        hint={t("prompts.fewShots.dragHint")}
        handleProps={handleProps}
        onMoved={onMoved}
      />
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        aria-label={t("prompts.fewShots.remove", { number })}
        onClick={onRemoved}
      >
        <Trash2 aria-hidden />
      </Button>
    </div>
  );
}

/** Few-shot example: user message and expected answer. */
export function FewShotCard(props: FewShotCardProps) {
  const { fewShot, index, language, editable, dragged, shown, onChanged, onBlurred } = props;
  const { t } = useTranslation();
  const number = index + 1;
  return (
    <li
      className={cn(
        "grid min-w-0 gap-3 rounded-xl border border-border bg-raised p-4",
        dragged && "border-accent-solid shadow-lg",
      )}
    >
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h3 className="text-sm font-semibold">{t("prompts.fewShots.title", { number })}</h3>
        {editable ? <CardActions {...props} /> : null}
      </div>
      <div className="grid gap-3 lg:grid-cols-2">
        {SIDES.map((side) => (
          <div key={side} className="grid min-w-0 content-start gap-1.5">
            <span aria-hidden className="text-xs font-medium text-ink-muted">
              {t(`prompts.roles.${side}`)}
            </span>
            <CodeEditor
              compact
              label={t(`prompts.fewShots.${side}`, { number })}
              value={fewShot[side]}
              language={language}
              readOnly={!editable}
              placeholder={t(`prompts.fewShots.${side}Placeholder`)}
              reveal={shown?.fewShot?.side === side ? shown : undefined}
              onChanged={(text) => onChanged({ ...fewShot, [side]: text })}
              onBlurred={onBlurred}
              className="max-h-64 min-h-24"
            />
          </div>
        ))}
      </div>
    </li>
  );
}
