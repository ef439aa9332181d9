import type { components } from "./schema.gen";

type Schemas = components["schemas"];

export type AuthConfig = Schemas["AuthConfig"];
export type SignedIn = Schemas["SignedIn"];
export type User = Schemas["User"];
export type SessionRead = Schemas["SessionRead"];
export type TokenRead = Schemas["TokenRead"];
export type TokenCreated = Schemas["TokenCreated"];
export type TokenScope = TokenRead["scope"];
export type Project = Schemas["Project"];
export type ProjectSummary = Schemas["ProjectSummary"];
export type SettingsRead = Schemas["SettingsRead"];
export type SettingsUpdate = Schemas["SettingsUpdate"];
export type Member = Schemas["Member"];
export type Invitation = Schemas["Invitation"];
export type InvitationResult = Schemas["InvitationResult"];
export type InvitationPreview = Schemas["InvitationPreview"];
export type AuditEntry = Schemas["AuditEntry"];
export type DatasetSummary = Schemas["DatasetSummary"];

export interface Page<T> {
  items: T[];
  next?: string | null;
  total?: number | null;
}
