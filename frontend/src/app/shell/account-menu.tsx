import { useNavigate } from "@tanstack/react-router";
import { Compass, Keyboard, LogOut, UserRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api/session";
import { Avatar } from "@/components/ui/avatar";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu";
import { useShellActions } from "./shell-actions";

export function AccountMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const user = useUser();
  const { openShortcuts, startTour, signOut } = useShellActions();
  return (
    <Menu
      className="w-60"
      trigger={
        <button type="button" className="flex size-8 items-center justify-center rounded-full">
          <Avatar name={user.name ?? null} email={user.email} />
          <span className="sr-only">{t("account.menu")}</span>
        </button>
      }
    >
      <div className="grid px-2.5 py-2">
        <span className="truncate text-sm font-medium">{user.name ?? user.email}</span>
        {user.name ? <span className="truncate text-xs text-ink-muted">{user.email}</span> : null}
      </div>
      <MenuSeparator />
      <MenuItem onSelect={() => void navigate({ to: "/account" })}>
        <UserRound aria-hidden />
        {t("account.title")}
      </MenuItem>
      <MenuItem onSelect={openShortcuts}>
        <Keyboard aria-hidden />
        {t("shortcuts.title")}
      </MenuItem>
      <MenuItem onSelect={startTour}>
        <Compass aria-hidden />
        {t("tour.action")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={signOut}>
        <LogOut aria-hidden />
        {t("account.signOut")}
      </MenuItem>
    </Menu>
  );
}
