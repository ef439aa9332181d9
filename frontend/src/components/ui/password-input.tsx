import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn";
import { Input, type InputProps } from "./input";

export function PasswordInput({ className, ...rest }: Omit<InputProps, "type">) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input
        type={shown ? "text" : "password"}
        className={cn("pr-11", shown && "font-mono", className)}
        spellCheck={false}
        autoCapitalize="none"
        {...rest}
      />
      <button
        type="button"
        aria-label={shown ? t("ui.hidePassword") : t("ui.showPassword")}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-1 my-1 flex w-9 items-center justify-center rounded-sm text-ink-subtle hover:text-ink"
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  );
}
