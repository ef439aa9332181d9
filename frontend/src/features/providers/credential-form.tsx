import { useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Credential, ProviderKind } from "@/api/types";
import { SchemaForm } from "@/components/schema-form/schema-form";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogFooter } from "@/components/ui/dialog";
import {
  checkDraft,
  formOf,
  placeRefusal,
  type CredentialDraft,
  type Refusal,
} from "./credential-draft";
import { SecretField } from "./secret-field";

/** Tests and saves a valid draft; takes as long as the provider does. */
function useTestAndSave(
  draft: CredentialDraft,
  provider: ProviderKind,
  save: (signal: AbortSignal) => Promise<Credential>,
  onSaved: (credential: Credential) => void,
) {
  const [testing, setTesting] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>({ errors: {}, alert: null });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const submit = async () => {
    const errors = checkDraft(draft, provider);
    if (Object.keys(errors).length > 0) {
      setRefusal({ errors, alert: null });
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setRefusal({ errors: {}, alert: null });
    setTesting(true);
    try {
      onSaved(await save(controller.signal));
    } catch (error) {
      if (!controller.signal.aborted) {
        setRefusal(placeRefusal(error, draft, provider));
        setTesting(false);
      }
    }
  };
  return { testing, refusal, submit };
}

/** Focuses the first invalid field. */
function useFocusFirstError(errors: FieldErrors) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length > 0) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [errors]);
  return form;
}

export interface CredentialFormProps {
  provider: ProviderKind;
  draft: CredentialDraft;
  onDraftChanged: (draft: CredentialDraft) => void;
  /** Rejects with a Problem when the provider refuses. */
  save: (signal: AbortSignal) => Promise<Credential>;
  onSaved: (credential: Credential) => void;
  submitLabel: string;
  /** Stored secrets, when replacing a credential. */
  stored?: Credential["secrets"];
  /** Content above and below the provider's fields. */
  before?: (errors: FieldErrors) => ReactNode;
  after?: (errors: FieldErrors) => ReactNode;
  secondary: ReactNode;
}

export function CredentialForm(props: CredentialFormProps) {
  const { provider, draft, onDraftChanged, stored } = props;
  const { t } = useTranslation();
  const { testing, refusal, submit } = useTestAndSave(draft, provider, props.save, props.onSaved);
  const form = useFocusFirstError(refusal.errors);
  const { alert, errors } = refusal;
  return (
    <form
      ref={form}
      noValidate
      autoComplete="off"
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!testing) {
          void submit();
        }
      }}
    >
      {props.before?.(errors)}
      <SchemaForm
        schema={formOf(provider)}
        value={draft.fields}
        errors={errors}
        onValueChanged={(fields) => onDraftChanged({ ...draft, fields })}
        renderSecret={(field) => (
          <SecretField {...field} stored={stored?.[field.path]} variables={provider.variables} />
        )}
      />
      {props.after?.(errors)}
      {alert === null ? null : (
        <Alert
          tone="danger"
          {...(alert.code === null ? {} : { title: t(`providers.refused.${alert.code}`) })}
        >
          {alert.message}
        </Alert>
      )}
      <DialogFooter>
        {props.secondary}
        <Button type="submit" loading={testing}>
          {testing ? t("providers.testing") : props.submitLabel}
        </Button>
      </DialogFooter>
      <p role="status" className="sr-only">
        {testing ? t("providers.testingWith", { provider: provider.title }) : ""}
      </p>
    </form>
  );
}
