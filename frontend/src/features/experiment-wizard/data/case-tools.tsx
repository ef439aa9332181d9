import { FileUp, ShieldAlert, Sparkles } from "lucide-react";
import { use } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { truncate } from "@/lib/format";
import type { Draft, StepProps } from "../wizard-step";
import { DatasetToolsContext, type GenerateToolProps } from "./dataset-tools";
import { useCaseTool, type CaseTool } from "./use-case-tool";

/** As much of the objective as a generation may be told. */
const LONGEST_HINTS = 1000;

const TOOLS = [
  { tool: "import", Icon: FileUp },
  { tool: "synthetic", Icon: Sparkles },
  { tool: "adversarial", Icon: ShieldAlert },
] as const satisfies { tool: CaseTool; Icon: unknown }[];

function promptOf({
  prompt_id,
  syntax,
  system,
  text,
}: Draft["prompt"]): GenerateToolProps["prompt"] {
  return prompt_id ?? { syntax, system, text };
}

export interface CaseToolsProps extends StepProps<"data"> {
  variables: readonly string[];
}

/** Cases that nobody has to type: from a file, or written by a model. */
export function CaseTools(props: CaseToolsProps) {
  const { draft, variables } = props;
  const { t } = useTranslation();
  const tools = use(DatasetToolsContext);
  const { open, busy, show, close } = useCaseTool(props);
  if (tools === null) {
    return null;
  }
  const { Import, Generate } = tools;
  return (
    <div className="flex flex-wrap gap-2">
      {TOOLS.map(({ tool, Icon }) => (
        <Button
          key={tool}
          variant="secondary"
          size="sm"
          loading={busy === tool}
          disabled={busy !== null}
          onClick={() => show(tool)}
        >
          <Icon aria-hidden />
          {t(`wizard.data.tools.${tool}`)}
        </Button>
      ))}
      {open === null ? null : open.tool === "import" ? (
        <Import at={open.at} requiredVariables={variables} onClosed={close} />
      ) : (
        <Generate
          at={open.at}
          kind={open.tool}
          hints={truncate(draft.objective.goal.trim(), LONGEST_HINTS)}
          variables={variables}
          prompt={promptOf(draft.prompt)}
          onClosed={close}
        />
      )}
    </div>
  );
}
