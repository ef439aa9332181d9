import { ArrowLeft, ArrowRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Credential, ProviderKind } from "@/api/types";
import { credentialLimitSchema, limitErrors } from "@/components/call-limits/limit-schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Disclosure } from "@/components/ui/disclosure";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { formOf, newDraft, toRequest } from "./credential-draft";
import { CredentialForm } from "./credential-form";
import { ProviderMark } from "./provider-mark";
import { useSecretWriters } from "./queries";

interface ProviderCardsProps {
  providers: readonly ProviderKind[];
  onChosen: (provider: ProviderKind) => void;
}

function ProviderCards({ providers, onChosen }: ProviderCardsProps) {
  return (
    <ul className="grid gap-2 sm:grid-cols-2">
      {providers.map((provider) => (
        <li key={provider.key}>
          <button
            type="button"
            onClick={() => onChosen(provider)}
            className="group flex h-full w-full items-start gap-3 rounded-lg border border-border bg-raised p-3.5 text-left transition-colors hover:border-accent-ink hover:bg-surface"
          >
            <ProviderMark provider={provider} />
            <span className="grid min-w-0 flex-1 gap-0.5">
              <span className="text-sm font-medium">{provider.title}</span>
              <span className="text-xs text-ink-muted">{formOf(provider).description}</span>
            </span>
            <ArrowRight
              aria-hidden
              className="mt-2.5 size-4 shrink-0 text-ink-decor transition-transform duration-150 group-hover:translate-x-0.5"
            />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface NewCredentialProps {
  slug: string;
  provider: ProviderKind;
  credentials: readonly Credential[];
  onBack: () => void;
  onSaved: (credential: Credential) => void;
}

function NewCredential({ slug, provider, credentials, onBack, onSaved }: NewCredentialProps) {
  const { t } = useTranslation();
  const { createCredential } = useSecretWriters(slug);
  const [draft, setDraft] = useState(() =>
    newDraft(
      provider,
      credentials.map((credential) => credential.label),
    ),
  );
  const isFirst = credentials.every((credential) => credential.provider !== provider.key);
  return (
    <CredentialForm
      provider={provider}
      draft={draft}
      onDraftChanged={setDraft}
      save={(signal) => createCredential(toRequest(draft, provider), signal)}
      onSaved={onSaved}
      submitLabel={t("providers.add.submit")}
      before={(errors) => (
        <Field
          required
          label={t("providers.fields.label")}
          hint={t("providers.fields.labelHint")}
          error={errors.label}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              value={draft.label}
              onChange={(event) => setDraft({ ...draft, label: event.target.value })}
            />
          )}
        </Field>
      )}
      after={(errors) => (
        <>
          <Disclosure
            label={t("providers.limits.action")}
            forcedOpen={Object.keys(limitErrors(errors)).length > 0}
          >
            <SchemaForm
              columns={2}
              schema={credentialLimitSchema(provider.limits)}
              value={draft.limits}
              errors={limitErrors(errors)}
              onValueChanged={(limits) => setDraft({ ...draft, limits })}
            />
          </Disclosure>
          {isFirst ? null : (
            <Checkbox
              label={t("providers.add.makeDefault", { provider: provider.title })}
              checked={draft.isDefault}
              onCheckedChanged={(isDefault) => setDraft({ ...draft, isDefault })}
            />
          )}
        </>
      )}
      secondary={
        <Button variant="ghost" onClick={onBack}>
          <ArrowLeft aria-hidden />
          {t("providers.add.back")}
        </Button>
      }
    />
  );
}

interface SavedProps {
  credential: Credential;
  onModelsWanted: () => void;
  onDone: () => void;
}

function Saved({ credential, onModelsWanted, onDone }: SavedProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-5">
      <Alert tone="success" title={t("providers.add.savedTitle", { label: credential.label })}>
        {t("providers.add.savedBody")}
      </Alert>
      <DialogFooter>
        <Button variant="ghost" onClick={onDone}>
          {t("providers.add.later")}
        </Button>
        <Button autoFocus onClick={onModelsWanted}>
          {t("providers.add.chooseModels")}
        </Button>
      </DialogFooter>
    </div>
  );
}

export interface AddCredentialDialogProps {
  slug: string;
  providers: readonly ProviderKind[];
  credentials: readonly Credential[];
  /** Key of the chosen provider; null while the picker is open. */
  chosen: string | null;
  onChosenChanged: (key: string | null) => void;
  onModelsWanted: (credential: Credential) => void;
  onClosed: () => void;
}

export function AddCredentialDialog(props: AddCredentialDialogProps) {
  const { slug, providers, credentials, chosen, onChosenChanged, onClosed } = props;
  const { t } = useTranslation();
  const [saved, setSaved] = useState<Credential | null>(null);
  const provider = providers.find((candidate) => candidate.key === chosen);
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={provider === undefined}
      width="lg"
      title={
        provider === undefined ? (
          t("providers.add.title")
        ) : (
          <span className="flex items-center gap-2.5">
            {t("providers.add.titleOf", { provider: provider.title })}
            {provider.is_simulated ? <SimulatedBadge /> : null}
          </span>
        )
      }
      description={
        provider === undefined ? t("providers.add.description") : formOf(provider).description
      }
    >
      {saved !== null ? (
        <Saved
          credential={saved}
          onModelsWanted={() => props.onModelsWanted(saved)}
          onDone={onClosed}
        />
      ) : provider === undefined ? (
        <ProviderCards providers={providers} onChosen={(next) => onChosenChanged(next.key)} />
      ) : (
        <NewCredential
          key={provider.key}
          slug={slug}
          provider={provider}
          credentials={credentials}
          onBack={() => onChosenChanged(null)}
          onSaved={setSaved}
        />
      )}
    </Dialog>
  );
}
