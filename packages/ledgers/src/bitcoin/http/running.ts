import type { LedgerHost } from "../../host.ts";
import type { BitcoindEffect, BitcoindEvent } from "../advance.ts";
import type { BitcoindView } from "../bitcoind/rpc-method.ts";
import type { BitcoindState } from "../state.ts";

/** A running ledger, as the routes see it. */
export type BitcoindHost = LedgerHost<BitcoindState, BitcoindEvent, BitcoindEffect>;

/** The ledger's time in seconds, the unit of block times. */
export const secondsOf = (host: BitcoindHost): number => Math.floor(host.now / 1_000);

/** The ledger as RPC methods use it; every read gives the current state. */
export const bitcoindViewOf = (host: BitcoindHost): BitcoindView => ({
  get state() {
    return host.state;
  },
  get now() {
    return secondsOf(host);
  },
  apply: (event) => host.apply(event),
});
