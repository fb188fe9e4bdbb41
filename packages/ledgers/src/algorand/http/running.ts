import type { LedgerHost } from "../../host.ts";
import type { AlgodEffect, AlgodEvent } from "../advance.ts";
import type { AlgodState } from "../state.ts";

/** A running ledger, as the routes see it. */
export type AlgodHost = LedgerHost<AlgodState, AlgodEvent, AlgodEffect>;
