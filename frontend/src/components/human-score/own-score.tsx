import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { HumanScore, Question } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { Textarea } from "@/components/ui/textarea";
import { AnswerControl } from "./answer-control";
import { QUESTIONS } from "./scales";

export const LONGEST_COMMENT = 10_000;

export interface GivenScore {
  question: Question;
  answer: number | null;
  comment: string | null;
}

export interface OwnScoreProps {
  mine: HumanScore | undefined;
  isSaving: boolean;
  onScored: (score: GivenScore) => void;
  onRemoved: () => void;
}

/** The user's own score: answers are saved immediately, comments when finished. */
export function OwnScore({ mine, isSaving, onScored, onRemoved }: OwnScoreProps) {
  const { t } = useTranslation();
  const [question, setQuestion] = useState<Question>(mine?.question ?? "thumbs");
  const [comment, setComment] = useState(mine?.comment ?? "");
  const answer = mine?.question === question ? mine.answer : null;
  const said = comment.trim() === "" ? null : comment.trim();
  const isUnsaved = said !== (mine?.comment ?? null);
  const isEmpty = said === null && answer === null;
  return (
    <div className="grid gap-3">
      <Segmented
        label={t("humanScore.question")}
        value={question}
        options={QUESTIONS.map((value) => ({ value, label: t(`humanScore.questions.${value}`) }))}
        onValueChanged={setQuestion}
      />
      <AnswerControl
        label={t("humanScore.mine")}
        question={question}
        answer={answer}
        onAnswered={(next) => onScored({ question, answer: next, comment: said })}
      />
      <Field label={t("humanScore.comment")}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={LONGEST_COMMENT}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        {isUnsaved ? (
          <Button
            size="sm"
            variant="secondary"
            loading={isSaving}
            disabled={isEmpty}
            onClick={() => onScored({ question, answer, comment: said })}
          >
            {t("humanScore.saveComment")}
          </Button>
        ) : null}
        {mine === undefined ? null : (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              setComment("");
              onRemoved();
            }}
          >
            <Trash2 aria-hidden />
            {t("humanScore.remove")}
          </Button>
        )}
      </div>
    </div>
  );
}
