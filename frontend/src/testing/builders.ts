import type {
  Credential,
  DraftRead,
  Member,
  Model,
  Project,
  Prompt,
  ProviderKind,
  SettingsRead,
  SignedIn,
} from "@/api/types";

const AT = "2026-01-15T10:00:00Z";

export function aProject(over: Partial<Project> = {}): Project {
  return {
    id: "p1",
    slug: "support-answers",
    name: "Support answers",
    description: null,
    role: "OWNER",
    member_count: 2,
    experiment_count: 0,
    is_demo: false,
    requires_two_factor: false,
    archived_at: null,
    created_at: AT,
    updated_at: AT,
    changed_at: AT,
    ...over,
  };
}

export function aMember(over: Partial<Member> = {}): Member {
  return {
    id: "m1",
    user_id: "u1",
    email: "ada@example.org",
    name: "Ada Lovelace",
    role: "EDITOR",
    joined_at: AT,
    is_self: false,
    ...over,
  };
}

export function someSettings(over: Partial<SettingsRead> = {}): SettingsRead {
  return {
    version: 1,
    default_budget_usd: "100.00",
    default_max_iterations: 10,
    allow_synthetic_datasets: true,
    require_review_approval: true,
    cost_alert_threshold: 0.8,
    archive_days: 60,
    retention_days: 90,
    updated_at: AT,
    ...over,
  };
}

export function aSignIn(): SignedIn {
  return {
    user: {
      id: "u1",
      email: "ada@example.org",
      name: "Ada Lovelace",
      has_password: true,
      is_email_verified: true,
      has_second_factor: false,
      is_local_owner: false,
      has_seen_tour: false,
      created_at: AT,
    },
    session: { id: "s1", expires_at: AT, remember_me: false },
  };
}

export function aProvider(over: Partial<ProviderKind> = {}): ProviderKind {
  return {
    key: "openai",
    title: "OpenAI",
    is_simulated: false,
    form: {
      type: "object",
      description: "GPT and o models from OpenAI.",
      required: ["api_key"],
      properties: {
        api_key: {
          type: "string",
          format: "password",
          writeOnly: true,
          minLength: 1,
          title: "API key",
          description: "Begins with sk-.",
        },
        base_url: {
          type: "string",
          format: "uri",
          default: "https://api.openai.com/v1",
          title: "Base URL",
          "x-advanced": true,
        },
      },
    },
    secret_fields: ["api_key"],
    variables: [{ name: "OPENAI_API_KEY", hosts: ["api.openai.com"] }],
    limits: { timeout_seconds: 60, concurrency: 8, retries: 2, max_tokens: 4096 },
    ...over,
  };
}

export function aCredential(over: Partial<Credential> = {}): Credential {
  return {
    id: "c1",
    provider: "openai",
    label: "Team key",
    settings: { base_url: "https://api.openai.com/v1" },
    secrets: { api_key: { last_four: "1234", env: null } },
    limits: {},
    is_default: true,
    tested_at: AT,
    failure: null,
    created_at: AT,
    updated_at: AT,
    ...over,
  };
}

export function aModel(over: Partial<Model> = {}): Model {
  return {
    id: "m1",
    credential_id: "c1",
    credential_label: "Team key",
    provider: "openai",
    provider_title: "OpenAI",
    is_simulated: false,
    provider_model: "gpt-4o",
    display_name: "GPT-4o",
    context_window: 128_000,
    capabilities: {
      temperature: true,
      top_p: true,
      frequency_penalty: true,
      presence_penalty: true,
      stop: true,
      seed: true,
      json_output: true,
      tools: true,
      json_schema: true,
    },
    parameters: { temperature: 0.7 },
    call_parameters: { temperature: 0.7, max_tokens: 4096 },
    ignored_parameters: [],
    limits: {},
    prices: {
      input_usd_per_million: "2.50",
      output_usd_per_million: "10.00",
      cached_input_usd_per_million: "1.25",
      source: "table",
      version: "2026.10",
      tiers: [],
    },
    is_enabled: true,
    is_default: false,
    is_retired: false,
    successor: null,
    created_at: AT,
    updated_at: AT,
    ...over,
  };
}

export function aDraft(over: Partial<DraftRead> = {}): DraftRead {
  return {
    syntax: "double",
    system: null,
    text: "Write a reply to {{customer}}.",
    few_shots: [],
    tools: [],
    variables: ["customer"],
    wants_response: false,
    wants_json: false,
    version: 1,
    parent_id: null,
    is_changed: true,
    updated_at: AT,
    warnings: [],
    ...over,
  };
}

export function aPrompt(over: Partial<Prompt> = {}): Prompt {
  return {
    id: "pr1",
    name: "Reply",
    kind: "generator",
    description: null,
    variables: ["customer"],
    author: null,
    latest: null,
    production: null,
    archived_at: null,
    created_at: AT,
    updated_at: AT,
    draft: aDraft(),
    ...over,
  };
}
