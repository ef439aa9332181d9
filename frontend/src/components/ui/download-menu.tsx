import { Download } from "lucide-react";
import { Button, type ButtonLook } from "./button";
import { Menu, MenuItem } from "./dropdown-menu";

export interface DownloadMenuProps {
  label: string;
  files: readonly { label: string; address: string }[];
  variant?: NonNullable<ButtonLook["variant"]>;
}

/** Menu to download the same content in different formats. */
export function DownloadMenu({ label, files, variant = "secondary" }: DownloadMenuProps) {
  return (
    <Menu
      trigger={
        <Button variant={variant}>
          <Download aria-hidden />
          {label}
        </Button>
      }
    >
      {files.map((file) => (
        <MenuItem key={file.address} asChild>
          <a href={file.address} download>
            {file.label}
          </a>
        </MenuItem>
      ))}
    </Menu>
  );
}
