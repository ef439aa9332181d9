import { Link } from "@tanstack/react-router";
import { FlaskConical, Sparkles } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "./ui/button";
import { Menu, MenuItem } from "./ui/dropdown-menu";

export interface ImproveMenuProps {
  slug: string;
  /** What the form of the optimization is filled from. */
  source: { prompt?: string; run?: string; experiment?: string };
}

/** Ways to improve a prompt, starting from what the page shows. */
export function ImproveMenu({ slug, source }: ImproveMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu
      trigger={
        <Button variant="secondary">
          <Sparkles aria-hidden />
          {t("improve.action")}
        </Button>
      }
    >
      <MenuItem asChild>
        <Link to="/p/$slug/optimizations/new" params={{ slug }} search={source}>
          <Sparkles aria-hidden />
          <span className="grid">
            {t("improve.optimization")}
            <span className="text-xs text-ink-muted">{t("improve.optimizationHint")}</span>
          </span>
        </Link>
      </MenuItem>
      {source.experiment === undefined ? (
        <MenuItem asChild>
          <Link to="/p/$slug/experiments/new" params={{ slug }}>
            <FlaskConical aria-hidden />
            <span className="grid">
              {t("improve.experiment")}
              <span className="text-xs text-ink-muted">{t("improve.experimentHint")}</span>
            </span>
          </Link>
        </MenuItem>
      ) : null}
    </Menu>
  );
}
