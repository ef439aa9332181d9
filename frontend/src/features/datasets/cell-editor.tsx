import { useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Case } from "@/api/types";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/cn";
import type { DatasetAddress } from "@/api/case-imports";
import { ConflictDialog } from "./conflict-dialog";
import { refusalText, useSaveCase } from "./use-save-case";
import {
  parseTags,
  parseValue,
  putValue,
  showValue,
  valueAt,
  writeValue,
  editFormatOf,
  type CaseDraft,
  type CaseField,
} from "./values";
import { DIFFICULTIES, ORIGINS, SPLITS } from "./view";

/** Where the focus goes after editing a cell. */
export type CellExit = "stay" | "down" | "next" | "previous";

export interface CellEditorProps {
  at: DatasetAddress;
  row: Case;
  place: CaseField;
  label: string;
  onClosed: (leaving: CellExit) => void;
}

const FRAME =
  "absolute -inset-px z-30 rounded-md border-2 border-accent-solid bg-raised text-sm text-ink shadow-lg focus-visible:outline-none";

function useLeavingKeys(commit: (leaving: CellExit) => void, cancel: () => void) {
  return (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) {
      return;
    }
    if (event.key === "Escape") {
      event.preventDefault();
      cancel();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      commit("down");
    } else if (event.key === "Tab") {
      event.preventDefault();
      commit(event.shiftKey ? "previous" : "next");
    }
  };
}

function useCommit({ at, row, place, onClosed }: CellEditorProps) {
  const saving = useSaveCase(at);
  // Other users' changes arrive while typing; they must not become the base of this edit.
  const [base] = useState(row);
  const commit = async (draft: CaseDraft, leaving: CellExit) => {
    if (!saving.isSaving && (await saving.save(base, draft))) {
      onClosed(leaving);
    }
  };
  const conflict =
    saving.conflict === null ? null : (
      <ConflictDialog
        conflict={saving.conflict}
        isSaving={saving.isSaving}
        onClosed={() => saving.setConflict(null)}
        onResolved={(draft) => {
          const current = saving.conflict?.current;
          if (current !== undefined) {
            void saving.save(current, draft).then((isSaved) => {
              if (isSaved) {
                onClosed("stay");
              }
            });
          }
        }}
      />
    );
  const value = valueAt(base, place);
  return { ...saving, base, value, commit, conflictDialog: conflict };
}

/** Single choice; saved immediately. */
function ChoiceEditor(props: CellEditorProps) {
  const { place, label, onClosed } = props;
  const { t } = useTranslation();
  const { value, base, commit, refusal, conflictDialog } = useCommit(props);
  const [chosen, setChosen] = useState(showValue(value ?? undefined));
  const choose = (text: string, leaving: CellExit) => {
    const wanted = place.field === "difficulty" ? (text === "" ? null : Number(text)) : text;
    void commit(putValue(base, place, wanted), leaving);
  };
  const onKeyDown = useLeavingKeys(
    (leaving) => choose(chosen, leaving),
    () => onClosed("stay"),
  );
  const options =
    place.field === "difficulty"
      ? ["", ...DIFFICULTIES].map((each) => ({ value: each, label: each || "–" }))
      : place.field === "split"
        ? SPLITS.map((each) => ({ value: each, label: t(`datasets.splits.${each}`) }))
        : ORIGINS.map((each) => ({ value: each, label: t(`datasets.origins.${each}`) }));
  return (
    <>
      <select
        autoFocus
        aria-label={label}
        aria-invalid={refusalText(refusal) !== null || undefined}
        value={chosen}
        className={cn(FRAME, "w-full px-2")}
        onKeyDown={onKeyDown}
        onBlur={() => onClosed("stay")}
        onChange={(event) => {
          setChosen(event.target.value);
          choose(event.target.value, "stay");
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {conflictDialog}
    </>
  );
}

function TextEditor(props: CellEditorProps) {
  const { place, label, onClosed } = props;
  const { t } = useTranslation();
  const { value, base, commit, isSaving, refusal, conflict, conflictDialog } = useCommit(props);
  const isTags = place.field === "tags";
  const [writing, setWriting] = useState(isTags ? "text" : editFormatOf(value ?? undefined));
  const [text, setText] = useState(isTags ? base.tags.join(", ") : writeValue(value ?? undefined));
  const [problem, setProblem] = useState<string | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const submit = (leaving: CellExit) => {
    const parsed = parseValue(text, writing);
    if (!parsed.ok) {
      setProblem(t("datasets.cell.badJson", { problem: parsed.problem }));
      return;
    }
    setProblem(null);
    const isUntouched = text === "" && (value === undefined || value === null);
    const cleared = place.field === "expected" && text === "" ? null : parsed.value;
    const wanted = isTags ? parseTags(text) : isUntouched ? value : cleared;
    void commit(putValue(base, place, wanted), leaving);
  };
  const onKeyDown = useLeavingKeys(submit, () => onClosed("stay"));
  const complaint = problem ?? refusalText(refusal);
  return (
    <div
      ref={frame}
      className={cn(FRAME, "bottom-auto grid min-w-72")}
      onBlur={(event) => {
        const isInside = frame.current?.contains(event.relatedTarget) ?? false;
        if (!isInside && conflict === null && complaint === null) {
          submit("stay");
        }
      }}
    >
      <textarea
        autoFocus
        aria-label={label}
        aria-invalid={complaint !== null || undefined}
        rows={isTags ? 1 : 3}
        spellCheck={writing === "text"}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.target.select()}
        className={cn(
          "field-sizing-content max-h-72 w-full resize-none bg-transparent px-3 py-2 focus-visible:outline-none",
          writing === "json" && "font-mono text-xs",
        )}
      />
      {complaint === null ? null : (
        <p role="alert" className="px-3 pb-2 text-xs text-danger">
          {complaint}
        </p>
      )}
      <div className="flex items-center gap-3 rounded-b-sm border-t border-border bg-surface px-3 py-1 text-xs text-ink-muted">
        {isSaving ? <Spinner /> : null}
        <span>{isTags ? t("datasets.cell.tagsHint") : t("datasets.cell.hint")}</span>
        {place.field === "input" ? (
          <button
            type="button"
            aria-pressed={writing === "json"}
            onClick={() => setWriting(writing === "json" ? "text" : "json")}
            className="ml-auto rounded-sm px-1.5 font-mono hover:text-ink aria-pressed:bg-accent-bg aria-pressed:text-on-accent-bg"
          >
            JSON
          </button>
        ) : null}
      </div>
      {conflictDialog}
    </div>
  );
}

export function CellEditor(props: CellEditorProps) {
  const { field } = props.place;
  return field === "difficulty" || field === "split" || field === "origin" ? (
    <ChoiceEditor {...props} />
  ) : (
    <TextEditor {...props} />
  );
}
