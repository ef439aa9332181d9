import { useTranslation } from "react-i18next";
import type { NotificationKind } from "@/api/types";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldError } from "@/components/ui/field";

export interface KindChoiceProps {
  kinds: readonly NotificationKind[];
  chosen: readonly string[];
  error: string | undefined;
  onChosen: (kinds: string[]) => void;
}

/** Events that a destination subscribes to. */
export function KindChoice({ kinds, chosen, error, onChosen }: KindChoiceProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-sm font-medium">{t("destinations.form.kinds")}</legend>
      <div className="grid max-h-60 gap-3 overflow-y-auto rounded-lg border border-border p-3">
        {kinds.map(({ kind, label, hint }) => (
          <Checkbox
            key={kind}
            label={label}
            description={hint}
            checked={chosen.includes(kind)}
            onCheckedChanged={(checked) =>
              onChosen(checked ? [...chosen, kind] : chosen.filter((each) => each !== kind))
            }
          />
        ))}
      </div>
      {error === undefined ? null : <FieldError>{error}</FieldError>}
    </fieldset>
  );
}
