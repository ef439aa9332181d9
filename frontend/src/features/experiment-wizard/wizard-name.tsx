import { Pencil } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

const LONGEST_NAME = 100;

export interface WizardNameProps {
  name: string;
  editable: boolean;
  onRenamed: (name: string) => void;
}

/** Editable heading: Enter applies, Escape cancels. */
export function WizardName({ name, editable, onRenamed }: WizardNameProps) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<string | null>(null);
  const take = () => {
    const taken = wanted?.trim() ?? "";
    if (taken !== "" && taken !== name) {
      onRenamed(taken);
    }
    setWanted(null);
  };
  if (wanted !== null && editable) {
    return (
      <form
        className="max-w-xl min-w-0 flex-1"
        onSubmit={(event) => {
          event.preventDefault();
          take();
        }}
      >
        <Input
          autoFocus
          aria-label={t("wizard.frame.name")}
          autoComplete="off"
          maxLength={LONGEST_NAME}
          className="h-9 text-base font-semibold"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === "Escape") {
              event.stopPropagation();
              setWanted(null);
            }
          }}
        />
      </form>
    );
  }
  return (
    <div className="flex min-w-0 items-center gap-1">
      <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere">{name}</h1>
      {editable ? (
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          aria-label={t("wizard.frame.rename")}
          onClick={() => setWanted(name)}
        >
          <Pencil aria-hidden />
        </Button>
      ) : null}
    </div>
  );
}

/** Name field of the first step. An empty name is not taken. */
export function NameField({ name, onRenamed }: Omit<WizardNameProps, "editable">) {
  const { t } = useTranslation();
  const [isEmpty, setEmpty] = useState(false);
  return (
    <Field
      required
      className="max-w-xl"
      label={t("wizard.frame.name")}
      error={isEmpty ? t("wizard.frame.nameMissing") : undefined}
    >
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          maxLength={LONGEST_NAME}
          value={isEmpty ? "" : name}
          onChange={({ target: { value } }) => {
            setEmpty(value.trim() === "");
            if (value.trim() !== "") {
              onRenamed(value);
            }
          }}
          onBlur={() => setEmpty(false)}
        />
      )}
    </Field>
  );
}
