import { Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoices } from "@/components/ui/dropdown-menu";
import { setTheme, useShownTheme, useTheme } from "@/lib/theme";

export function ThemeMenu() {
  const { t } = useTranslation();
  const theme = useTheme();
  const Icon = useShownTheme() === "dark" ? Moon : Sun;
  return (
    <Menu
      className="min-w-36"
      trigger={
        <Button variant="ghost" size="sm" iconOnly aria-label={t("theme.label")}>
          <Icon aria-hidden />
        </Button>
      }
    >
      <MenuChoices
        label={t("theme.label")}
        value={theme}
        onValueChanged={setTheme}
        options={[
          { value: "light", label: t("theme.light"), icon: <Sun aria-hidden /> },
          { value: "dark", label: t("theme.dark"), icon: <Moon aria-hidden /> },
          { value: "system", label: t("theme.system"), icon: <Monitor aria-hidden /> },
        ]}
      />
    </Menu>
  );
}
