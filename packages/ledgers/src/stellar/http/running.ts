import type { LedgerHost } from "../../host.ts";
import type { HorizonEffect, HorizonEvent } from "../advance.ts";
import type { HorizonState } from "../state.ts";

/** A running ledger, as the routes see it. */
export type HorizonHost = LedgerHost<HorizonState, HorizonEvent, HorizonEffect>;

/** The ledger's time in whole seconds since 1970, the unit of close times. */
export const stellarTime = (host: HorizonHost): bigint => BigInt(Math.floor(host.now / 1_000));
