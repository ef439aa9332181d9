import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { RadioGroup } from "@/components/ui/radio-group";
import { truncate } from "@/lib/format";
import type { Conflict } from "./use-save-case";
import {
  conflictingPlaces,
  mergeDrafts,
  placeKey,
  showValue,
  valueAt,
  type CaseDraft,
  type CaseField,
} from "./values";

const SHOWN = 600;

export interface ConflictDialogProps {
  conflict: Conflict;
  isSaving: boolean;
  onResolved: (draft: CaseDraft) => void;
  onClosed: () => void;
}

/** Shows both values of every field changed by two users; the user picks one. */
export function ConflictDialog({ conflict, isSaving, onResolved, onClosed }: ConflictDialogProps) {
  const { base, mine, current } = conflict;
  const { t } = useTranslation();
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const prefer = (place: CaseField, side: "mine" | "theirs") => {
    const next = new Set(theirs);
    next[side === "theirs" ? "add" : "delete"](placeKey(place));
    setTheirs(next);
  };
  const show = (draft: CaseDraft, place: CaseField) => {
    const value = valueAt(draft, place);
    const text = Array.isArray(value) ? value.join(", ") : showValue(value ?? undefined);
    return text === "" ? t("datasets.cell.empty") : truncate(text, SHOWN);
  };
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("datasets.conflict.title")}
      description={t("datasets.conflict.body")}
    >
      {conflictingPlaces(base, mine, current).map((place) => (
        <RadioGroup<"mine" | "theirs">
          key={placeKey(place)}
          legend={place.field === "input" ? place.variable : t(`datasets.columns.${place.field}`)}
          value={theirs.has(placeKey(place)) ? "theirs" : "mine"}
          onValueChanged={(side) => prefer(place, side)}
          className="wrap-anywhere [&_[role=radiogroup]]:grid-cols-2"
          options={[
            {
              value: "mine",
              label: show(mine, place),
              description: t("datasets.conflict.mine"),
            },
            {
              value: "theirs",
              label: show(current, place),
              description: t("datasets.conflict.theirs"),
            },
          ]}
        />
      ))}
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("datasets.conflict.keepEditing")}
        </Button>
        <Button
          loading={isSaving}
          onClick={() =>
            onResolved(mergeDrafts(base, mine, current, (place) => theirs.has(placeKey(place))))
          }
        >
          {t("datasets.conflict.save")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
