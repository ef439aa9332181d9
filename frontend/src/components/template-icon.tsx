import { Braces, Code, Feather, FlaskConical, Headset, type LucideIcon } from "lucide-react";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  customer_support: Headset,
  creative_writing: Feather,
  data_extraction: Braces,
  code_generation: Code,
};

/** Icon of an experiment template; the default experiment icon for unknown ones. */
export function TemplateIcon({ template, className }: { template: string; className?: string }) {
  const Icon = ICONS[template] ?? FlaskConical;
  return <Icon aria-hidden className={className} />;
}
