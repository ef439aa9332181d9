import { useTranslation } from "react-i18next";
import type { Credential, ProviderKind } from "@/api/types";
import type { SchemaFieldProps } from "@/components/schema-form/field-props";
import { Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { asSecret, type SecretDraft } from "./credential-draft";
import { maskSecret } from "./mask-secret";

export interface SecretFieldProps extends SchemaFieldProps {
  /** The stored secret, when replacing a credential. */
  stored?: Credential["secrets"][string] | undefined;
  /** Environment variables that may be named, with the hosts each may be sent to. */
  variables: ProviderKind["variables"];
}

/** Secret input: a value, or the name of a server environment variable. */
export function SecretField(props: SecretFieldProps) {
  const {
    label,
    path,
    schema,
    value,
    required,
    errors,
    disabled,
    onValueChanged,
    stored,
    variables,
  } = props;
  const { t } = useTranslation();
  const secret = asSecret(value);
  const change = (part: Partial<SecretDraft>) => onValueChanged({ ...secret, ...part });
  const now = stored === undefined ? null : maskSecret(stored);
  const keeping =
    now === null
      ? null
      : required
        ? t("providers.secret.now", { secret: now })
        : t("providers.secret.nowOptional", { secret: now });
  const hint = secret.source === "env" ? t("providers.secret.envHint") : schema.description;
  return (
    <Field
      label={label}
      required={required}
      error={errors[path]}
      hint={[keeping, hint].filter(Boolean).join(" ")}
    >
      {(control) => (
        <div className="grid gap-2">
          {variables.length === 0 && secret.source === "value" ? null : (
            <div className="justify-self-start">
              <Segmented
                label={t("providers.secret.source", { label })}
                value={secret.source}
                options={[
                  { value: "value", label: t("providers.secret.enter") },
                  { value: "env", label: t("providers.secret.variable") },
                ]}
                onValueChanged={(source) => change({ source, text: "" })}
              />
            </div>
          )}
          {secret.source === "value" ? (
            <PasswordInput
              {...control}
              autoComplete="off"
              value={secret.text}
              disabled={disabled}
              onChange={(event) => change({ text: event.target.value })}
            />
          ) : (
            <Select
              {...control}
              className="font-mono"
              placeholder={t("providers.secret.choose")}
              // A variable the operator no longer offers must be replaced.
              value={variables.some(({ name }) => name === secret.text) ? secret.text : ""}
              disabled={disabled}
              options={variables.map(({ name, hosts }) => ({
                value: name,
                label: name,
                description: t("providers.secret.sentTo", { hosts: hosts.join(", ") }),
              }))}
              onValueChanged={(text) => change({ text })}
            />
          )}
        </div>
      )}
    </Field>
  );
}
