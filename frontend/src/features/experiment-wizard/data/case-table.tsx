import { ChevronLeft, ChevronRight, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CaseRequest } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { columnsOf, MOST_INLINE, newCase, readInput, readTags, showInput } from "./inline-cases";

const PAGE = 20;
const ANY = "none";
const DIFFICULTIES = [1, 2, 3, 4, 5] as const;

interface CaseRowProps {
  index: number;
  each: CaseRequest;
  columns: readonly string[];
  /** Columns used by the prompt. */
  variables: readonly string[];
  onCaseChanged: (index: number, change: Partial<CaseRequest> | null) => void;
}

function TagsInput({
  index,
  tags,
  onTagsChanged,
}: {
  index: number;
  tags: readonly string[];
  onTagsChanged: (tags: string[]) => void;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input
      aria-label={t("wizard.data.tagsOf", { number: index + 1 })}
      className="h-9 min-w-28"
      value={typed ?? tags.join(", ")}
      onChange={(event) => {
        setTyped(event.target.value);
        onTagsChanged(readTags(event.target.value));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

function CaseRow(props: CaseRowProps) {
  const { index, each, columns, variables, onCaseChanged } = props;
  const { t } = useTranslation();
  const number = index + 1;
  const { inputs, expected, tags = [], difficulty } = each;
  return (
    <tr className="border-b border-border align-top last:border-b-0">
      <td className="px-2 py-3.5 text-right text-xs text-ink-muted tabular-nums">{number}</td>
      {columns.map((name) => {
        const text = showInput(inputs[name]);
        const isMissing = variables.includes(name) && text.trim() === "";
        return (
          <td key={name} className="min-w-48 p-1.5">
            <Textarea
              rows={2}
              aria-label={t("wizard.data.valueOf", { name, number })}
              aria-invalid={isMissing || undefined}
              placeholder={isMissing ? t("wizard.data.needsValue") : undefined}
              className="field-sizing-content max-h-48 min-h-14"
              value={text}
              onChange={({ target }) =>
                onCaseChanged(index, {
                  inputs: { ...inputs, [name]: readInput(target.value, inputs[name]) },
                })
              }
            />
          </td>
        );
      })}
      <td className="min-w-44 p-1.5">
        <Textarea
          rows={2}
          aria-label={t("wizard.data.expectedOf", { number })}
          className="field-sizing-content max-h-48 min-h-14"
          value={expected ?? ""}
          onChange={({ target }) =>
            onCaseChanged(index, { expected: target.value === "" ? null : target.value })
          }
        />
      </td>
      <td className="grid gap-1.5 p-1.5">
        <TagsInput
          index={index}
          tags={tags}
          onTagsChanged={(next) => onCaseChanged(index, { tags: next })}
        />
        <Select
          size="sm"
          aria-label={t("wizard.data.difficultyOf", { number })}
          value={difficulty == null ? ANY : String(difficulty)}
          options={[
            { value: ANY, label: t("wizard.data.noDifficulty") },
            ...DIFFICULTIES.map((level) => ({
              value: String(level),
              label: t("datasets.difficultyIs", { value: level }),
            })),
          ]}
          onValueChanged={(next) =>
            onCaseChanged(index, { difficulty: next === ANY ? null : Number(next) })
          }
        />
      </td>
      <td className="p-1.5">
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          aria-label={t("wizard.data.removeCase", { number })}
          onClick={() => onCaseChanged(index, null)}
        >
          <Trash2 aria-hidden />
        </Button>
      </td>
    </tr>
  );
}

interface PagerProps {
  page: number;
  last: number;
  words: string;
  onPageChanged: (page: number) => void;
}

function Pager({ page, last, words, onPageChanged }: PagerProps) {
  const { t } = useTranslation();
  const step = { variant: "ghost", size: "sm", iconOnly: true } as const;
  return (
    <span className="ml-auto flex items-center gap-1 text-xs text-ink-muted tabular-nums">
      <Button
        {...step}
        aria-label={t("wizard.data.previousPage")}
        disabled={page === 0}
        onClick={() => onPageChanged(page - 1)}
      >
        <ChevronLeft aria-hidden />
      </Button>
      {words}
      <Button
        {...step}
        aria-label={t("wizard.data.nextPage")}
        disabled={page === last}
        onClick={() => onPageChanged(page + 1)}
      >
        <ChevronRight aria-hidden />
      </Button>
    </span>
  );
}

export interface CaseTableProps {
  cases: readonly CaseRequest[];
  variables: readonly string[];
  onCaseChanged: CaseRowProps["onCaseChanged"];
  onCaseAdded: (added: CaseRequest) => void;
}

/** Cases written in the wizard; they become a dataset when the experiment is created. */
export function CaseTable({ cases, variables, onCaseChanged, onCaseAdded }: CaseTableProps) {
  const { t } = useTranslation();
  const [wantedPage, setPage] = useState(0);
  const last = Math.max(0, Math.ceil(cases.length / PAGE) - 1);
  const page = Math.min(wantedPage, last);
  const first = page * PAGE;
  const columns = columnsOf(variables, cases);
  return (
    <div className="grid gap-3">
      {cases.length === 0 ? null : (
        <div className="overflow-x-auto rounded-lg border border-border">
          <table className="w-full border-collapse text-left text-sm">
            <caption className="sr-only">{t("wizard.data.table")}</caption>
            <thead>
              <tr className="h-9 border-b border-border bg-surface text-xs text-ink-muted">
                <th scope="col" className="px-2 text-right font-medium">
                  #
                </th>
                {columns.map((name) => (
                  <th key={name} scope="col" className="px-2 font-mono font-medium">
                    {name}
                  </th>
                ))}
                <th scope="col" className="px-2 font-medium">
                  {t("wizard.data.expected")}
                </th>
                <th scope="col" className="px-2 font-medium">
                  {t("wizard.data.tagsAndDifficulty")}
                </th>
                <th scope="col">
                  <span className="sr-only">{t("ui.actions")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {cases.slice(first, first + PAGE).map((each, at) => (
                <CaseRow
                  // Unsaved cases have no id but their index.
                  key={first + at}
                  index={first + at}
                  each={each}
                  columns={columns}
                  variables={variables}
                  onCaseChanged={onCaseChanged}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          size="sm"
          disabled={cases.length >= MOST_INLINE}
          onClick={() => {
            setPage(Math.floor(cases.length / PAGE));
            onCaseAdded(newCase(variables));
          }}
        >
          <Plus aria-hidden />
          {t("wizard.data.addCase")}
        </Button>
        <span role="status" className="text-xs text-ink-muted tabular-nums">
          {t("wizard.data.count", { count: cases.length, most: MOST_INLINE })}
        </span>
        {last === 0 ? null : (
          <Pager
            page={page}
            last={last}
            words={t("wizard.data.page", {
              from: first + 1,
              to: Math.min(first + PAGE, cases.length),
            })}
            onPageChanged={setPage}
          />
        )}
      </div>
    </div>
  );
}
