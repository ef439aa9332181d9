import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Gauge, KeyRound, Pencil, Star, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { problemMessage } from "@/api/problem-message";
import type { Credential, ProviderKind } from "@/api/types";
import { useChange } from "@/api/use-change";
import { SimulatedBadge } from "@/components/simulated-badge";
import { labelOf } from "@/components/schema-form/schema";
import { Badge } from "@/components/ui/badge";
import { CommandMenu, type Command } from "@/components/ui/command-menu";
import { Table, type Column } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { DeleteDialog, RenameCredentialDialog, ReplaceDialog } from "./change-dialogs";
import { LimitsDialog } from "./limits-dialog";
import { formOf } from "./credential-draft";
import { maskSecret } from "./mask-secret";
import { ProviderMark } from "./provider-mark";
import { CREDENTIAL } from "./queries";
import { TestCell } from "./test-cell";

type Change = "rename" | "replace" | "limits" | "delete";

function NameCell({ credential, provider }: { credential: Credential; provider: ProviderKind }) {
  const { t } = useTranslation();
  return (
    <div className="flex min-w-0 items-center gap-3 text-left">
      <ProviderMark provider={provider} />
      <div className="grid min-w-0 gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium">{credential.label}</span>
          {credential.is_default ? <Badge tone="accent">{t("providers.default")}</Badge> : null}
          {provider.is_simulated ? <SimulatedBadge /> : null}
        </span>
        <span className="truncate text-xs text-ink-muted">{provider.title}</span>
      </div>
    </div>
  );
}

function SecretCell({ credential, provider }: { credential: Credential; provider: ProviderKind }) {
  const { t } = useTranslation();
  const secrets = Object.entries(credential.secrets);
  if (secrets.length === 0) {
    return <span className="text-ink-muted">{t("providers.secret.none")}</span>;
  }
  return (
    <ul className="grid gap-0.5">
      {secrets.map(([name, secret]) => (
        <li key={name} className="flex items-baseline gap-2 max-lg:justify-end">
          {secrets.length > 1 ? (
            <span className="text-xs text-ink-muted">
              {labelOf(name, formOf(provider).properties?.[name] ?? {})}
            </span>
          ) : null}
          <code className="text-xs break-all">{maskSecret(secret)}</code>
        </li>
      ))}
    </ul>
  );
}

function ModelsCell({ slug, credential }: { slug: string; credential: Credential }) {
  const { t } = useTranslation();
  const { data } = useQuery(modelsQuery(slug));
  if (data === undefined) {
    return null;
  }
  const count = data.filter((model) => model.credential_id === credential.id).length;
  return count === 0 ? (
    <span className="text-ink-muted">{t("providers.noModels")}</span>
  ) : (
    <Link
      to="/p/$slug/models"
      params={{ slug }}
      search={{ provider: credential.provider }}
      className="rounded-sm whitespace-nowrap underline-offset-4 hover:text-accent-ink hover:underline"
    >
      {t("providers.models", { count })}
    </Link>
  );
}

interface ActionsProps {
  slug: string;
  credential: Credential;
  provider: ProviderKind;
  onChangeWanted: (change: Change) => void;
}

function ActionsCell({ slug, credential, provider, onChangeWanted }: ActionsProps) {
  const { t } = useTranslation();
  const change = useChange("patch", CREDENTIAL, { project: slug, credential_id: credential.id });
  const makeDefault = () =>
    change.mutate(
      { body: { is_default: true } },
      {
        onSuccess: () =>
          toast.success(
            t("providers.madeDefault", { label: credential.label, provider: provider.title }),
          ),
        onError: (error) => toast.error(problemMessage(error)),
      },
    );
  const commands: Command[] = [
    {
      icon: Pencil,
      label: t("providers.rename.action"),
      onChosen: () => onChangeWanted("rename"),
    },
    ...(credential.is_default
      ? []
      : [{ icon: Star, label: t("providers.makeDefault"), onChosen: makeDefault }]),
    {
      icon: KeyRound,
      label: t("providers.replace.action"),
      onChosen: () => onChangeWanted("replace"),
    },
    {
      icon: Gauge,
      label: t("providers.limits.action"),
      onChosen: () => onChangeWanted("limits"),
    },
    {
      icon: Trash2,
      label: t("providers.delete.action"),
      isDanger: true,
      onChosen: () => onChangeWanted("delete"),
    },
  ];
  return (
    <CommandMenu
      label={t("providers.actionsFor", { label: credential.label })}
      commands={commands}
    />
  );
}

export interface CredentialTableProps {
  slug: string;
  credentials: readonly Credential[];
  providers: readonly ProviderKind[];
  editable: boolean;
}

export function CredentialTable({ slug, credentials, providers, editable }: CredentialTableProps) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<{ change: Change; credential: Credential } | null>(null);
  // Credentials outlive the removal of their provider from the program.
  const providerOf = (credential: Credential): ProviderKind =>
    providers.find((provider) => provider.key === credential.provider) ?? {
      key: credential.provider,
      title: credential.provider,
      is_simulated: false,
      form: {},
      secret_fields: [],
      variables: [],
      limits: {},
    };
  const columns: Column<Credential>[] = [
    {
      key: "name",
      primary: true,
      header: t("providers.columns.name"),
      cell: (credential) => <NameCell credential={credential} provider={providerOf(credential)} />,
      className: "lg:w-1/3",
    },
    {
      key: "secret",
      header: t("providers.columns.secret"),
      cell: (credential) => (
        <SecretCell credential={credential} provider={providerOf(credential)} />
      ),
    },
    {
      key: "test",
      header: t("providers.columns.test"),
      cell: (credential) => <TestCell slug={slug} credential={credential} editable={editable} />,
    },
    {
      key: "models",
      header: t("providers.columns.models"),
      cell: (credential) => <ModelsCell slug={slug} credential={credential} />,
    },
  ];
  if (editable) {
    columns.push({
      key: "actions",
      header: t("ui.actions"),
      hideHeader: true,
      align: "right",
      cell: (credential) => (
        <ActionsCell
          slug={slug}
          credential={credential}
          provider={providerOf(credential)}
          onChangeWanted={(change) => setWanted({ change, credential })}
        />
      ),
    });
  }
  const dialog =
    wanted === null
      ? null
      : { slug, credential: wanted.credential, onClosed: () => setWanted(null) };
  return (
    <>
      <Table
        caption={t("providers.title")}
        columns={columns}
        rows={credentials}
        rowKey={(credential) => credential.id}
      />
      {dialog === null ? null : wanted?.change === "rename" ? (
        <RenameCredentialDialog {...dialog} />
      ) : wanted?.change === "replace" ? (
        <ReplaceDialog {...dialog} provider={providerOf(dialog.credential)} />
      ) : wanted?.change === "limits" ? (
        <LimitsDialog {...dialog} provider={providerOf(dialog.credential)} />
      ) : (
        <DeleteDialog {...dialog} />
      )}
    </>
  );
}
