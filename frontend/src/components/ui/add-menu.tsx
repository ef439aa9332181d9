import { Plus } from "lucide-react";
import { Button } from "./button";
import { Menu, MenuItem } from "./dropdown-menu";

export interface AddMenuProps {
  label: string;
  items: readonly { key: string; title: string; description: string; onChosen: () => void }[];
}

/** Button with a menu of things to add. */
export function AddMenu({ label, items }: AddMenuProps) {
  return (
    <Menu
      align="start"
      className="max-h-96 w-80 overflow-y-auto"
      trigger={
        <Button variant="secondary" size="sm" disabled={items.length === 0}>
          <Plus aria-hidden />
          {label}
        </Button>
      }
    >
      {items.map(({ key, title, description, onChosen }) => (
        <MenuItem key={key} onSelect={onChosen}>
          <span className="grid">
            {title}
            <span className="text-xs text-ink-muted">{description}</span>
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}
