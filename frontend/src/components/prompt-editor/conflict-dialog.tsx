import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DraftRead } from "@/api/types";
import type { EditorLanguage } from "@/components/editor/extensions";
import { MergeView } from "@/components/editor/merge-view";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Segmented } from "@/components/ui/segmented";
import {
  chosenContent,
  conflictingParts,
  writtenPart,
  type ConflictPart,
  type Choices,
} from "./conflict";
import { contentOf, type Content } from "./content";

const PLAIN: EditorLanguage = { kind: "template", syntax: "double" };
const JSON_TEXT: EditorLanguage = { kind: "json", check: () => [] };

export interface ConflictDialogProps {
  mine: Content;
  theirs: DraftRead;
  onResolved: (content: Content) => void;
  onClosed: () => void;
}

function isText(part: ConflictPart): part is "system" | "text" {
  return part === "system" || part === "text";
}

interface PartConflictProps {
  part: ConflictPart;
  mine: Content;
  theirs: Content;
  choice: "mine" | "theirs";
  onChosen: (choice: "mine" | "theirs") => void;
  onMineChanged: (mine: Content) => void;
}

function PartConflict(props: PartConflictProps) {
  const { part, mine, theirs, choice, onChosen, onMineChanged } = props;
  const { t } = useTranslation();
  return (
    <section className="grid min-w-0 gap-2" aria-label={t(`prompts.parts.${part}`)}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-sm font-semibold">{t(`prompts.parts.${part}`)}</h3>
        <Segmented
          label={t("prompts.conflict.choice", { part: t(`prompts.parts.${part}`) })}
          value={choice}
          options={[
            { value: "theirs", label: t("prompts.conflict.takeTheirs") },
            { value: "mine", label: t("prompts.conflict.keepMine") },
          ]}
          onValueChanged={onChosen}
        />
      </div>
      <MergeView
        before={writtenPart(theirs, part)}
        after={writtenPart(mine, part)}
        beforeLabel={t("prompts.conflict.theirs")}
        afterLabel={isText(part) ? t("prompts.conflict.mineEditable") : t("prompts.conflict.mine")}
        mode="split"
        collapsed={false}
        language={part === "tools" ? JSON_TEXT : PLAIN}
        className="max-h-[40dvh] min-h-32"
        {...(isText(part)
          ? {
              onAfterChanged: (text: string) => {
                onMineChanged({ ...mine, [part]: text });
                onChosen("mine");
              },
            }
          : {})}
      />
    </section>
  );
}

/** Shows both texts of every part changed by two users; the user picks one or writes a third. */
export function ConflictDialog({ mine, theirs, onResolved, onClosed }: ConflictDialogProps) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState(mine);
  const [other] = useState(() => contentOf(theirs));
  const [parts] = useState(() => conflictingParts(mine, other));
  const [choices, setChoices] = useState<Choices>({});
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      closeOnEscape={false}
      width="xl"
      title={t("prompts.conflict.title")}
      description={t("prompts.conflict.body")}
    >
      {parts.length === 0 ? (
        <p className="text-sm text-ink-muted">{t("prompts.conflict.same")}</p>
      ) : null}
      {parts.map((part) => (
        <PartConflict
          key={part}
          part={part}
          mine={edited}
          theirs={other}
          choice={choices[part] ?? "mine"}
          onChosen={(choice) => setChoices((known) => ({ ...known, [part]: choice }))}
          onMineChanged={setEdited}
        />
      ))}
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("prompts.conflict.later")}
        </Button>
        <Button variant="secondary" onClick={() => onResolved(other)}>
          {t("prompts.conflict.allTheirs")}
        </Button>
        <Button onClick={() => onResolved(chosenContent(edited, other, choices))}>
          {t("prompts.conflict.save")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
