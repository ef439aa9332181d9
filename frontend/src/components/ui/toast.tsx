import { CircleCheck, CircleX, Info, TriangleAlert } from "lucide-react";
import { Toaster as Primitive, toast as show } from "sonner";
import { useTranslation } from "react-i18next";
import { useShownTheme } from "@/lib/theme";

export function Toaster() {
  const { t } = useTranslation();
  return (
    <Primitive
      position="bottom-center"
      visibleToasts={3}
      theme={useShownTheme()}
      containerAriaLabel={t("ui.notifications")}
      closeButton
      gap={8}
      offset={24}
      icons={{
        success: <CircleCheck aria-hidden className="size-4" />,
        error: <CircleX aria-hidden className="size-4" />,
        warning: <TriangleAlert aria-hidden className="size-4" />,
        info: <Info aria-hidden className="size-4" />,
      }}
    />
  );
}

interface Extra {
  description?: string;
  /** Undo button; extends the duration of the toast. */
  action?: { label: string; onClick: () => void };
  /** In milliseconds. */
  duration?: number;
}

export const toast = {
  success: (message: string, extra: Extra = {}) =>
    show.success(message, { duration: extra.action === undefined ? 4000 : 12_000, ...extra }),
  info: (message: string, extra: Extra = {}) => show.info(message, { duration: 4000, ...extra }),
  warning: (message: string, extra: Extra = {}) =>
    show.warning(message, { duration: 6000, ...extra }),
  error: (message: string, extra: Extra = {}) => show.error(message, { duration: 8000, ...extra }),
};
