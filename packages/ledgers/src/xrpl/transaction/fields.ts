import type { LedgerJson } from "../../json.ts";

/** The fields of a transaction in rippled's JSON, without the type's number; in canonical order. */
export type RippledFields = Readonly<Record<string, LedgerJson>>;
