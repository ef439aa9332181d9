import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { ModelSelect } from "@/components/model-chooser/model-select";
import {
  countColumns,
  GRID_PARAMETERS,
  parameterColumns,
  readValues,
  versionColumns,
  type GridParameter,
  type ParameterGrid,
  type VersionChoice,
} from "./arrange";
import { versionChoicesQuery } from "@/api/version-choices";
import { LoadError } from "@/components/load-error";
import { MOST_COLUMNS, type Column, type ColumnSettings, type Mode } from "./session";

const DRAFT = "draft";
const FIRST_VERSIONS = 2;

interface ArrangeFormProps {
  slug: string;
  promptId: string;
  columns: readonly Column[];
  modelId: string;
  onArranged: (columns: readonly ColumnSettings[]) => void;
  onClosed: () => void;
}

interface FooterProps {
  count: number;
  onSubmitted: () => void;
  onClosed: () => void;
}

function Footer({ count, onSubmitted, onClosed }: FooterProps) {
  const { t } = useTranslation();
  const isTooMany = count > MOST_COLUMNS;
  return (
    <DialogFooter>
      {isTooMany ? (
        <p role="alert" className="mr-auto text-sm text-danger">
          {t("playground.arrange.tooMany", { count, most: MOST_COLUMNS })}
        </p>
      ) : null}
      <Button variant="ghost" onClick={onClosed}>
        {t("ui.cancel")}
      </Button>
      <Button disabled={count === 0 || isTooMany} onClick={onSubmitted}>
        {t("playground.arrange.submit", { count })}
      </Button>
    </DialogFooter>
  );
}

function VersionsForm(props: ArrangeFormProps) {
  const { slug, promptId, columns, modelId, onArranged, onClosed } = props;
  const { t } = useTranslation();
  const saved = useQuery(versionChoicesQuery(slug, promptId));
  const versions = saved.data ?? [];
  const shown = columns.map(({ versionId }) => versionId ?? DRAFT);
  const [chosen, setChosen] = useState<readonly string[] | null>(
    new Set(shown).size > 1 ? [...new Set(shown)] : null,
  );
  const wanted = chosen ?? [DRAFT, ...versions.slice(0, FIRST_VERSIONS).map(({ id }) => id)];
  const choices: VersionChoice[] = [null, ...versions];
  const picked = choices.filter((choice) => wanted.includes(choice?.id ?? DRAFT));
  const draft = t("playground.arrange.draft");
  return (
    <>
      <fieldset className="grid gap-2.5">
        <legend className="pb-2 text-sm font-medium">{t("playground.arrange.versions")}</legend>
        {choices.map((choice) => {
          const id = choice?.id ?? DRAFT;
          return (
            <Checkbox
              key={id}
              label={choice === null ? draft : `${choice.label} · ${choice.name}`}
              checked={wanted.includes(id)}
              onCheckedChanged={(checked) =>
                setChosen(checked ? [...wanted, id] : wanted.filter((each) => each !== id))
              }
            />
          );
        })}
      </fieldset>
      <LoadError queries={[saved]} />
      <Footer
        count={picked.length}
        onClosed={onClosed}
        onSubmitted={() => onArranged(versionColumns(modelId, picked, draft))}
      />
    </>
  );
}

const FIRST_VALUES: Record<GridParameter, string> = {
  temperature: "0, 0.7, 1",
  top_p: "",
  max_tokens: "",
};

function ParametersForm({ modelId, onArranged, onClosed }: ArrangeFormProps) {
  const { t } = useTranslation();
  const [texts, setTexts] = useState(FIRST_VALUES);
  const read = GRID_PARAMETERS.map((name) => [name, readValues(texts[name])] as const);
  const isReadable = read.every(([, values]) => values !== null);
  const grid: ParameterGrid = Object.fromEntries(
    read.map(([name, values]) => [name, values ?? []]),
  );
  return (
    <>
      <div className="grid gap-4">
        {read.map(([name, values]) => (
          <Field
            key={name}
            label={t(`models.parameters.${name}.label`)}
            error={values === null ? t("playground.arrange.numbers") : undefined}
          >
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                inputMode="decimal"
                placeholder={t("playground.arrange.unset")}
                value={texts[name]}
                onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <Footer
        count={isReadable ? countColumns(grid) : 0}
        onClosed={onClosed}
        onSubmitted={() => onArranged(parameterColumns(modelId, grid))}
      />
    </>
  );
}

export interface ArrangeDialogProps {
  slug: string;
  mode: Exclude<Mode, "models">;
  promptId: string;
  columns: readonly Column[];
  models: readonly Model[];
  onArranged: (columns: readonly ColumnSettings[]) => void;
  onClosed: () => void;
}

/** Chooses one model and the versions or parameters to compare. */
export function ArrangeDialog(props: ArrangeDialogProps) {
  const { mode, columns, models, onClosed } = props;
  const { t } = useTranslation();
  const usable = models.filter((model) => model.is_enabled);
  const [modelId, setModelId] = useState(columns[0]?.modelId ?? usable[0]?.id ?? "");
  const form = { ...props, modelId };
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      title={t(`playground.arrange.title.${mode}`)}
      description={t(`playground.arrange.description.${mode}`)}
    >
      <Field required label={t("playground.arrange.model")}>
        {(control) => (
          <ModelSelect {...control} models={models} chosen={modelId} onChosen={setModelId} />
        )}
      </Field>
      {mode === "versions" ? <VersionsForm {...form} /> : <ParametersForm {...form} />}
    </Dialog>
  );
}
