import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "@/lib/clipboard";
import { Button, type ButtonLook } from "./button";

export interface CopyButtonProps extends ButtonLook {
  text: string;
  label: string;
  /** Shows the label beside the icon. */
  withLabel?: boolean;
}

export function CopyButton(props: CopyButtonProps) {
  const { text, label, withLabel = false, variant = "ghost", size = "sm" } = props;
  const { t } = useTranslation();
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") {
      return undefined;
    }
    const timer = setTimeout(() => setState("idle"), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const spoken =
    state === "copied" ? t("ui.copied") : state === "failed" ? t("ui.copyFailed") : label;
  return (
    <>
      <Button
        variant={variant}
        size={size}
        iconOnly={!withLabel}
        aria-label={withLabel ? undefined : label}
        title={withLabel ? undefined : spoken}
        onClick={() => void copyText(text).then((done) => setState(done ? "copied" : "failed"))}
      >
        {state === "copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
        {withLabel ? spoken : null}
      </Button>
      <span role="status" className="sr-only">
        {state === "idle" ? "" : spoken}
      </span>
    </>
  );
}
