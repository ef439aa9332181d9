import { Trash2, WandSparkles } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { JudgedQuestion } from "@/api/arena";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import { useChange } from "@/api/use-change";
import { outOfTen } from "@/components/score-scale";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Drawer } from "@/components/ui/drawer";
import { toast } from "@/components/ui/toast";
import { FixDialog } from "./fix-dialog";
import { CaseState } from "./question-table";

export interface QuestionDrawerProps {
  slug: string;
  datasetId: string | null;
  question: JudgedQuestion;
  editable: boolean;
  onClosed: () => void;
}

function Verdict({ verdict }: { verdict: JudgedQuestion["judges"][number] }) {
  const { t } = useTranslation();
  return (
    <section className="grid gap-2 rounded-lg border border-border p-4">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-sm font-semibold wrap-anywhere">{verdict.name}</h3>
        {verdict.value === null ? (
          <Badge tone="outline">{t("questions.noVerdict")}</Badge>
        ) : (
          <span className="text-sm font-semibold tabular-nums">{outOfTen(verdict.value)}</span>
        )}
      </div>
      {verdict.problem === null ? null : (
        <p className="text-sm text-ink-muted">{verdict.problem}</p>
      )}
      <ul className="grid gap-2">
        {verdict.criteria.map(({ name, raw, maximum, rationale }) => (
          <li key={name} className="grid gap-0.5 text-sm">
            <span className="flex justify-between gap-3">
              <span className="font-medium">{name}</span>
              <span className="text-ink-muted tabular-nums">
                {raw}/{maximum}
              </span>
            </span>
            <span className="text-pretty wrap-anywhere text-ink-muted">{rationale}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DropProps {
  slug: string;
  datasetId: string;
  caseId: string;
  onClosed: () => void;
  onDropped: () => void;
}

function DropDialog({ slug, datasetId, caseId, onClosed, onDropped }: DropProps) {
  const { t } = useTranslation();
  const drop = useChange(
    "delete",
    "/projects/{project}/datasets/{dataset_id}/cases/{case_id}",
    { project: slug, dataset_id: datasetId, case_id: caseId },
    { also: [keys.runs(slug)] },
  );
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("questions.drop.title")}
      description={t("questions.drop.body")}
      confirmLabel={t("questions.drop.action")}
      loading={drop.isPending}
      error={drop.isError ? problemMessage(drop.error) : null}
      onConfirmed={() =>
        drop.mutate(undefined, {
          onSuccess: () => {
            toast.success(t("questions.drop.done"));
            onDropped();
          },
        })
      }
    />
  );
}

/** A question with the verdict and the reasons of each judge; people drop or fix it. */
export function QuestionDrawer(props: QuestionDrawerProps) {
  const { slug, datasetId, question, editable, onClosed } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState<"drop" | "fix" | null>(null);
  const caseId = question.case_id;
  const place = datasetId === null || caseId === null ? null : { slug, datasetId, caseId };
  const canChange = editable && place !== null && question.case_state !== "deleted";
  return (
    <Drawer
      open
      onOpenChanged={(isOpen) => (isOpen ? undefined : onClosed())}
      title={t("questions.question")}
      description={
        question.human_score === null
          ? undefined
          : t("questions.people", { score: outOfTen(question.human_score) })
      }
    >
      <div className="grid gap-5">
        <p dir="auto" className="text-base leading-relaxed wrap-anywhere whitespace-pre-wrap">
          {question.question}
        </p>
        {question.expected === null ? null : (
          <div className="grid gap-1">
            <h3 className="text-xs font-medium text-ink-muted">{t("annotation.work.expected")}</h3>
            <p dir="auto" className="text-sm wrap-anywhere whitespace-pre-wrap">
              {question.expected}
            </p>
          </div>
        )}
        <div className="flex flex-wrap items-center gap-3">
          {canChange ? (
            <>
              <Button size="sm" onClick={() => setOpen("fix")}>
                <WandSparkles aria-hidden />
                {t("questions.fix.action")}
              </Button>
              <Button variant="secondary" size="sm" onClick={() => setOpen("drop")}>
                <Trash2 aria-hidden />
                {t("questions.drop.action")}
              </Button>
            </>
          ) : null}
          <CaseState question={question} />
        </div>
        {question.case_state === "changed" ? (
          <Alert tone="info">{t("questions.changedSince")}</Alert>
        ) : null}
        {question.judges.map((verdict, at) => (
          <Verdict key={`${at} ${verdict.name}`} verdict={verdict} />
        ))}
      </div>
      {open === "drop" && place !== null ? (
        <DropDialog {...place} onClosed={() => setOpen(null)} onDropped={onClosed} />
      ) : null}
      {open === "fix" && place !== null ? (
        <FixDialog
          {...place}
          question={question}
          onClosed={() => setOpen(null)}
          onFixed={onClosed}
        />
      ) : null}
    </Drawer>
  );
}
