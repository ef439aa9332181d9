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
export type Dataset = Schemas["DatasetDetail"];
export type DatasetRequest = Schemas["DatasetRequest"];
export type DatasetChange = Schemas["DatasetChange"];
export type DatasetVariable = Schemas["VariableRead"];
export type DatasetFacets = Schemas["FacetsRead"];
export type Case = Schemas["CaseRead"];
export type CaseRequest = Schemas["CaseRequest"];
export type CaseChange = Schemas["CaseChange"];
export type CaseVersion = Schemas["CaseVersionRead"];
export type CaseSelection = Schemas["Selection"];
export type BulkAction = Schemas["BulkRequest"]["change"];
export type BulkChange = Schemas["BulkChangeRead"];
export type CaseImport = Schemas["ImportRead"];
export type ImportPreview = Schemas["ImportPreview"];
export type ImportChange = Schemas["ImportChange"];
export type ImportCommit = Schemas["ImportCommit"];
export type MappedColumn = Schemas["MappedColumn"];
export type RowProblem = Schemas["RowProblemRead"];
export type Duplicates = Schemas["DuplicatesRead"];
export type DuplicateGroup = Schemas["DuplicateGroupRead"];
export type Coverage = Schemas["CoverageRead"];
export type CoverageDimension = Schemas["DimensionRead"];
export type CoverageBucket = Schemas["BucketRead"];
export type Generation = Schemas["GenerationDetail"];
export type GenerationSummary = Schemas["GenerationRead"];
export type GenerationRequest =
  | Schemas["SyntheticRequest-Input"]
  | Schemas["GapsRequest-Input"]
  | Schemas["AdversarialRequest-Input"]
  | Schemas["QuestionsRequest-Input"];
export type GenerationEstimate = Schemas["EstimateRead"];
export type GeneratedDraft = Schemas["CaseDraftRead"];
export type Budget = Schemas["BudgetRead"];
export type BudgetRequest = Schemas["BudgetRequest"];
export type BudgetChange = Schemas["BudgetChange"];
export type BurnDown = Schemas["BurnDownRead"];
export type Spending = Schemas["SpendingRead"];
export type LedgerEntry = Schemas["LedgerEntryRead"];
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
export type PromptSummary = Schemas["PromptSummary"];
export type Prompt = Schemas["PromptRead"];
export type PromptKind = Schemas["PromptKind"];
export type PromptRequest = Schemas["PromptRequest"];
export type DraftRead = Prompt["draft"];
export type DraftChange = Schemas["DraftChange"];
export type DraftBody = Omit<DraftChange, "version">;
export type DraftFinding = DraftRead["warnings"][number];
export type ToolBody = Schemas["ToolBody"];
export type VersionSummary = Schemas["VersionSummary"];
export type PartDiff = Schemas["PartDiff"];
export type PromptPreview = Schemas["PreviewRead"];
export type TokenCount = Schemas["CountRead"];
export type Operations = Schemas["OperationsRead"];
export type EdisonProcess = Schemas["ProcessRead"];
export type DeadJob = Schemas["DeadJobRead"];

export interface Page<T> {
  items: T[];
  next?: string | null;
  total?: number | null;
}
