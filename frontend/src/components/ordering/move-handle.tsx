import { GripVertical } from "lucide-react";
import { Button } from "@/components/ui/button";
import type { HandleProps } from "./use-drag-order";

export const handleId = (key: string) => `move-${key}`;

export interface MoveHandleProps {
  itemKey: string;
  index: number;
  label: string;
  hint: string;
  handleProps: HandleProps;
  onMoved: (to: number) => void;
}

/** Drag handle of a list item; the arrow keys move it too. */
export function MoveHandle({ itemKey, index, label, hint, handleProps, onMoved }: MoveHandleProps) {
  return (
    <Button
      id={handleId(itemKey)}
      variant="ghost"
      size="sm"
      iconOnly
      aria-label={label}
      title={hint}
      className="cursor-grab touch-none active:cursor-grabbing"
      onKeyDown={(event) => {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (step !== undefined) {
          event.preventDefault();
          onMoved(index + step);
        }
      }}
      {...handleProps}
    >
      <GripVertical aria-hidden />
    </Button>
  );
}
