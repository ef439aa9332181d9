/** Search parameters of the page. */
export const SPENDING_BY = ["day", "model", "purpose", "run", "origin"] as const;
export type SpendingBy = (typeof SPENDING_BY)[number];

export const SPENDING_DAYS = ["7", "30", "90"] as const;
export type SpendingDays = (typeof SPENDING_DAYS)[number];

export const ENTRY_STATES = ["reserved", "settled", "released", "unconfirmed"] as const;
export const LEDGER_SORTS = ["oldest", "dearest"] as const;

export interface LedgerFilters {
  q?: string | undefined;
  purpose?: string | undefined;
  provider?: string | undefined;
  model?: string | undefined;
  run_id?: string | undefined;
  state?: (typeof ENTRY_STATES)[number] | undefined;
  /** Days in UTC, as in the ledger. */
  from?: string | undefined;
  to?: string | undefined;
}

export interface BudgetView extends LedgerFilters {
  sort?: (typeof LEDGER_SORTS)[number] | undefined;
  /** Budget whose burn-down is shown. */
  budget?: string | undefined;
  by?: SpendingBy | undefined;
  days?: SpendingDays | undefined;
  create?: true | undefined;
  edit?: string | undefined;
}

export function filtersOf(view: BudgetView): LedgerFilters {
  const { q, purpose, provider, model, run_id, state, from, to } = view;
  return { q, purpose, provider, model, run_id, state, from, to };
}

export const NO_FILTERS: LedgerFilters = {
  q: undefined,
  purpose: undefined,
  provider: undefined,
  model: undefined,
  run_id: undefined,
  state: undefined,
  from: undefined,
  to: undefined,
};
