import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import type { Case, DatasetVariable } from "@/api/types";
import { FormAlert } from "@/components/form-alert";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Drawer } from "@/components/ui/drawer";
import { RelativeTime } from "@/components/ui/relative-time";
import { FormSkeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { toast } from "@/components/ui/toast";
import { CaseAuthor } from "./case-author";
import { CaseFormFields } from "./case-form";
import { fieldNames, readForm, toForm, type FormErrors } from "./case-form-state";
import { CaseHistory } from "./case-history";
import type { DatasetAddress } from "@/api/case-imports";
import { caseQuery } from "./case-queries";
import { ConflictDialog } from "./conflict-dialog";
import { FormFrame, unplacedMessage } from "./form-frame";
import { useBulk } from "./use-bulk";
import { useFormWords } from "./use-form-words";
import { useSaveCase } from "./use-save-case";

export interface CaseDrawerProps {
  at: DatasetAddress;
  variables: readonly DatasetVariable[];
  editable: boolean;
  onClosed: () => void;
}

function EditCase({ at, variables, editable, onClosed, row }: CaseDrawerProps & { row: Case }) {
  const { t } = useTranslation();
  const words = useFormWords();
  const saving = useSaveCase(at);
  const bulk = useBulk(at);
  const names = variables.map(({ name }) => name);
  const [base, setBase] = useState(row);
  const [form, setForm] = useState(() => toForm(row, names));
  const [errors, setErrors] = useState<FormErrors>({});
  const [isLeaving, setLeaving] = useState(false);
  const isDirty = JSON.stringify(form) !== JSON.stringify(toForm(base, names));
  // Other users' changes show immediately, unless they would overwrite unsaved edits.
  if (row.version > base.version && !isDirty) {
    setBase(row);
    setForm(toForm(row, names));
  }
  const close = () => (isDirty && editable ? setLeaving(true) : onClosed());
  const submit = async () => {
    const read = readForm(form, words);
    setErrors(read.ok ? {} : read.errors);
    if (read.ok && !saving.isSaving && (await saving.save(base, read.draft))) {
      toast.success(t("datasets.saved"));
      onClosed();
    }
  };
  const refused = saving.refusal.fields;
  return (
    <Drawer
      open
      onOpenChanged={close}
      title={t("datasets.case", { position: row.position })}
      description={
        <>
          v{row.version} · <RelativeTime iso={row.updated_at} />
        </>
      }
    >
      <CaseTabs
        history={<CaseHistory at={at} row={row} />}
        details={
          <FormFrame
            onSubmitted={() => void submit()}
            footer={
              editable ? (
                <>
                  <Button
                    variant="ghost"
                    loading={bulk.isPending}
                    onClick={() =>
                      bulk.run(
                        {
                          chosen: { kind: "some", ids: new Set([row.id]) },
                          view: {},
                          total: 1,
                          change: { action: "delete" },
                        },
                        onClosed,
                      )
                    }
                  >
                    <Trash2 aria-hidden />
                    {t("datasets.bulk.delete.action")}
                  </Button>
                  <Button
                    type="submit"
                    className="ml-auto"
                    disabled={!isDirty}
                    loading={saving.isSaving}
                  >
                    {t("ui.save")}
                  </Button>
                </>
              ) : null
            }
          >
            <FormAlert
              message={saving.refusal.message ?? unplacedMessage(refused, fieldNames(form))}
            />
            <CaseAuthor at={at} row={row} />
            <CaseFormFields
              isNew={false}
              editable={editable}
              form={form}
              onFormChanged={setForm}
              errors={{ ...refused, ...errors }}
            />
          </FormFrame>
        }
      />
      {saving.conflict === null ? null : (
        <ConflictDialog
          conflict={saving.conflict}
          isSaving={saving.isSaving}
          onClosed={() => saving.setConflict(null)}
          onResolved={(draft) => {
            const current = saving.conflict?.current ?? row;
            void saving.save(current, draft).then((isSaved) => {
              if (isSaved) {
                onClosed();
              }
            });
          }}
        />
      )}
      <ConfirmDialog
        open={isLeaving}
        onOpenChanged={setLeaving}
        title={t("unsaved.title")}
        description={t("datasets.unsaved")}
        confirmLabel={t("ui.discard")}
        cancelLabel={t("unsaved.stay")}
        onConfirmed={onClosed}
      />
    </Drawer>
  );
}

function CaseTabs({ details, history }: { details: ReactNode; history: ReactNode }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<"details" | "history">("details");
  return (
    <Tabs
      label={t("datasets.parts")}
      value={tab}
      onValueChanged={setTab}
      tabs={[
        { value: "details", label: t("datasets.details"), content: details },
        { value: "history", label: t("datasets.history.title"), content: history },
      ]}
    />
  );
}

export function CaseDrawer(props: CaseDrawerProps & { caseId: string }) {
  const { at, caseId, onClosed } = props;
  const { t } = useTranslation();
  const found = useQuery(caseQuery(at, caseId));
  if (found.data !== undefined) {
    return <EditCase key={caseId} {...props} row={found.data} />;
  }
  return (
    <Drawer open onOpenChanged={onClosed} title={t("datasets.caseTitle")}>
      {found.isPending ? (
        <FormSkeleton />
      ) : asProblem(found.error).status === 404 ? (
        <Alert tone="info">{t("datasets.caseMissing")}</Alert>
      ) : (
        <ProblemState error={found.error} onRetry={() => void found.refetch()} />
      )}
    </Drawer>
  );
}
