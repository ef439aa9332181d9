import { useQuery } from "@tanstack/react-query";
import {
  BookOpen,
  CircleHelp,
  ClipboardCopy,
  Code,
  GraduationCap,
  Keyboard,
  Sparkles,
} from "lucide-react";
import { use, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { aboutQuery } from "@/api/about";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/dropdown-menu";
import { toast } from "@/components/ui/toast";
import { copyText } from "@/lib/clipboard";
import { guideAddress, GuideContext } from "@/lib/guides";
import { describeInstallation } from "./diagnostics";
import { useShellActions } from "./shell-actions";

function PageItem({ address, children }: { address: string; children: ReactNode }) {
  return (
    <MenuItem asChild>
      <a href={address} target="_blank" rel="noreferrer">
        {children}
      </a>
    </MenuItem>
  );
}

/** Mounted while the menu is open, so that the version is asked for only then. */
function Items() {
  const { t } = useTranslation();
  const { openShortcuts } = useShellActions();
  const guide = use(GuideContext);
  const { data: about } = useQuery(aboutQuery);
  const copy = async () => {
    if (about === undefined) {
      return;
    }
    const isCopied = await copyText(describeInstallation(about));
    if (isCopied) {
      toast.success(t("help.copied"));
    } else {
      toast.error(t("ui.copyFailed"));
    }
  };
  return (
    <>
      {guide === null ? null : (
        <PageItem address={guideAddress(guide)}>
          <CircleHelp aria-hidden />
          {t("help.thisPage")}
        </PageItem>
      )}
      <PageItem address="/docs/">
        <BookOpen aria-hidden />
        {t("help.documentation")}
      </PageItem>
      <PageItem address={guideAddress("tutorial")}>
        <GraduationCap aria-hidden />
        {t("help.tutorial")}
      </PageItem>
      <PageItem address="/docs">
        <Code aria-hidden />
        {t("help.reference")}
      </PageItem>
      <PageItem address={guideAddress("changelog")}>
        <Sparkles aria-hidden />
        {t("help.news")}
      </PageItem>
      <MenuSeparator />
      <MenuItem onSelect={openShortcuts}>
        <Keyboard aria-hidden />
        {t("shortcuts.title")}
      </MenuItem>
      <MenuItem disabled={about === undefined} onSelect={() => void copy()}>
        <ClipboardCopy aria-hidden />
        {t("help.copy")}
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>
        {about === undefined ? t("help.edison") : t("help.version", { version: about.version })}
      </MenuLabel>
    </>
  );
}

export function HelpMenu() {
  const { t } = useTranslation();
  return (
    <Menu
      className="w-60"
      trigger={
        <Button variant="ghost" size="sm" iconOnly aria-label={t("help.menu")}>
          <CircleHelp aria-hidden />
        </Button>
      }
    >
      <Items />
    </Menu>
  );
}
