import type { LedgerJson } from "../../json.ts";

/** The fields of a transaction as rippled shows them in JSON, but for the number of its type; in the canonical order. */
export type RippledFields = Readonly<Record<string, LedgerJson>>;
