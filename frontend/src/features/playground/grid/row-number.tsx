import { useTranslation } from "react-i18next";
import { inputText } from "@/components/grid/case-header";
import type { RowHeaderProps } from "@/components/grid/grid-row";
import type { CaseInfo } from "@/components/grid/rows";
import { Tooltip } from "@/components/ui/tooltip";
import { truncate } from "@/lib/format";

const MOST_INPUTS = 4;
const LONGEST = 160;

function CasePreview({ info }: { info: CaseInfo }) {
  const { t } = useTranslation();
  const inputs = Object.entries(info.inputs);
  return (
    <span className="grid gap-1 py-0.5">
      {inputs.length === 0 ? t("runs.grid.noInputs") : null}
      {inputs.slice(0, MOST_INPUTS).map(([name, value]) => (
        <span key={name} className="wrap-anywhere">
          <span className="font-medium">{name}</span> {truncate(inputText(value), LONGEST)}
        </span>
      ))}
    </span>
  );
}

/** Row number; shows the case on hover. */
export function RowNumber({ info, position, isHandy }: RowHeaderProps) {
  const number = (
    <span className="flex h-full cursor-pointer items-start justify-center pt-3 text-xs text-ink-muted tabular-nums">
      {position + 1}
    </span>
  );
  return isHandy && info !== null ? (
    <Tooltip side="right" content={<CasePreview info={info} />} isOpen>
      {number}
    </Tooltip>
  ) : (
    number
  );
}
