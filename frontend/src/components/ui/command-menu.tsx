import { Ellipsis, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { Menu, MenuItem, MenuSeparator } from "./dropdown-menu";

export interface Command {
  icon: LucideIcon;
  label: string;
  onChosen: () => void;
  disabled?: boolean;
  /** Destructive: shown separately, last. */
  isDanger?: boolean;
}

export interface CommandMenuProps {
  /** Accessible name of the button. */
  label: string;
  commands: readonly Command[];
  /** Small and borderless in a row; regular button size in a page header. */
  place?: "row" | "head";
  className?: string;
  /** Additional entries, shown first. */
  children?: ReactNode;
}

function Entry({ icon: Icon, label, onChosen, disabled = false, isDanger = false }: Command) {
  return (
    <MenuItem tone={isDanger ? "danger" : "default"} disabled={disabled} onSelect={onChosen}>
      <Icon aria-hidden />
      {label}
    </MenuItem>
  );
}

/** Commands of one item in a three-dots menu. Renders nothing without commands. */
export function CommandMenu(props: CommandMenuProps) {
  const { label, commands, place = "row", className, children } = props;
  const plain = commands.filter(({ isDanger }) => isDanger !== true);
  const dangers = commands.filter(({ isDanger }) => isDanger === true);
  if (commands.length === 0) {
    return null;
  }
  return (
    <Menu
      trigger={
        <Button
          variant={place === "row" ? "ghost" : "secondary"}
          size={place === "row" ? "sm" : "md"}
          iconOnly
          aria-label={label}
          className={className}
        >
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {children}
      {plain.map((command) => (
        <Entry key={command.label} {...command} />
      ))}
      {plain.length > 0 && dangers.length > 0 ? <MenuSeparator /> : null}
      {dangers.map((command) => (
        <Entry key={command.label} {...command} />
      ))}
    </Menu>
  );
}
