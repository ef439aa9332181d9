import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { ProviderKind } from "@/api/types";
import { useChange } from "@/api/use-change";
import {
  checkLimits,
  credentialLimitSchema,
  limitErrors,
  setLimits,
} from "@/components/call-limits/limit-schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import type { FormValue } from "@/components/schema-form/schema";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { CredentialDialogProps } from "./change-dialogs";
import { CREDENTIAL } from "./queries";

export interface LimitsDialogProps extends CredentialDialogProps {
  provider: ProviderKind;
}

/** Timeout, concurrency, retries and max tokens of a credential's calls. Nothing is tested. */
export function LimitsDialog({ slug, credential, provider, onClosed }: LimitsDialogProps) {
  const { t } = useTranslation();
  const change = useChange("patch", CREDENTIAL, { project: slug, credential_id: credential.id });
  const [limits, setDraft] = useState<FormValue>({ ...credential.limits });
  const [errors, setErrors] = useState<FieldErrors>({});
  const schema = credentialLimitSchema(provider.limits);
  const save = () => {
    const found = checkLimits(limits, schema);
    setErrors(found);
    if (Object.keys(found).length > 0) {
      return;
    }
    change.mutate(
      { body: { limits: setLimits(limits) } },
      {
        onSuccess: () => {
          toast.success(t("providers.limits.done", { label: credential.label }));
          onClosed();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("providers.limits.title", { label: credential.label })}
      description={t("providers.limits.description")}
    >
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <SchemaForm
          columns={2}
          schema={schema}
          value={limits}
          errors={limitErrors(errors)}
          onValueChanged={setDraft}
        />
        {change.error === null ? null : <Alert tone="danger">{problemMessage(change.error)}</Alert>}
        <DialogFooter>
          <Button variant="ghost" onClick={onClosed}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t("providers.limits.submit")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
