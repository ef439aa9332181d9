import { Monitor, Moon, Sun } from "lucide-react";
import { RadioGroup as Primitive } from "radix-ui";
import { useTranslation } from "react-i18next";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { setTheme, THEMES, useTheme, type Theme } from "@/lib/theme";

const ICONS = { light: Sun, dark: Moon, system: Monitor } as const;

export function ThemeCard() {
  const { t } = useTranslation();
  const theme = useTheme();
  return (
    <Card aria-labelledby="theme-heading">
      <CardHeader
        id="theme-heading"
        title={t("account.theme.title")}
        description={t("account.theme.hint")}
      />
      <CardContent>
        <Primitive.Root
          aria-labelledby="theme-heading"
          value={theme}
          onValueChange={(next) => setTheme(next as Theme)}
          className="grid max-w-lg grid-cols-3 gap-3"
        >
          {THEMES.map((name) => {
            const Icon = ICONS[name];
            return (
              <Primitive.Item
                key={name}
                value={name}
                className="flex flex-col items-center gap-2 rounded-lg border border-border p-4 text-sm text-ink-muted transition-colors hover:bg-surface data-[state=checked]:border-accent-solid data-[state=checked]:bg-accent-bg data-[state=checked]:text-on-accent-bg"
              >
                <Icon aria-hidden className="size-5" />
                {t(`theme.${name}`)}
              </Primitive.Item>
            );
          })}
        </Primitive.Root>
      </CardContent>
    </Card>
  );
}
