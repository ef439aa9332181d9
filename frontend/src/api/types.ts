import type { components } from "./schema.gen";

type Schemas = components["schemas"];

export type AuthConfig = Schemas["AuthConfig"];
export type SignedIn = Schemas["SignedInRead"];
export type User = Schemas["UserRead"];
export type SessionRead = Schemas["SessionRead"];
export type TokenRead = Schemas["TokenRead"];
export type TokenCreated = Schemas["TokenCreated"];
export type TokenScope = TokenRead["scope"];
export type Project = Schemas["ProjectRead"];
export type SettingsRead = Schemas["SettingsRead"];
export type SettingsUpdate = Schemas["SettingsChange"];
export type Member = Schemas["MemberRead"];
export type Invitation = Schemas["InvitationRead"];
export type InvitationResult = Schemas["InvitationResult"];
export type InvitationPreview = Schemas["InvitationPreview"];
export type AuditEntry = Schemas["AuditEntryRead"];
export type DatasetSummary = Schemas["DatasetRead"];
export type ProviderKind = Schemas["ProviderRead"];
export type Credential = Schemas["CredentialRead"];
export type CredentialRequest = Schemas["CredentialRequest"];
export type CredentialChange = Schemas["CredentialChange"];
export type CredentialTest = Schemas["TestResult"];
export type AvailableModel = Schemas["AvailableModelRead"];
export type Model = Schemas["ModelRead"];
export type ModelPrices = Schemas["PricesRead"];
export type ModelRequest = Schemas["ModelRequest"];
export type ModelChange = Schemas["ModelChange"];
export type ModelCapabilities = Schemas["CapabilityValues"];
export type KnownModel = Schemas["KnownModelRead"];
export type ParameterRules = Schemas["RulesRead"];
export type ModelAdvice = Schemas["ModelAdviceRead"];

export interface Page<T> {
  items: T[];
  next?: string | null;
  total?: number | null;
}
