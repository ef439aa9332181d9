import { Hash, Mail, Send, Webhook, type LucideIcon } from "lucide-react";

const ICONS: Record<string, LucideIcon> = { email: Mail, slack: Hash, webhook: Webhook };

/** Look of a channel; a plain one for channels without their own icon. */
export const lookOf = (channel: string) => ({ Icon: ICONS[channel] ?? Send });
