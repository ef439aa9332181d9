import { pages, query } from "@/api/queries";

const PAGE_SIZE = 50;

export const sessionsQuery = pages("/auth/sessions", { query: { limit: PAGE_SIZE } });

export const tokensQuery = pages("/auth/tokens", { query: { limit: PAGE_SIZE } });

export const secondFactorQuery = query("/auth/second-factor", {});
