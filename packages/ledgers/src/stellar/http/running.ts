import type { LedgerHost } from "../../host.ts";
import type { HorizonEffect, HorizonEvent } from "../advance.ts";
import type { HorizonState } from "../state.ts";

/** A running ledger, as the routes see it. */
export type HorizonHost = LedgerHost<HorizonState, HorizonEvent, HorizonEffect>;

/** Seconds since 1970, as ledgers have them. */
export const stellarTime = (host: HorizonHost): bigint => BigInt(Math.floor(host.now / 1_000));
