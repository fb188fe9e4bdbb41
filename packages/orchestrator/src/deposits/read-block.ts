import type { Arrival } from "@conclave/chains";
import type { Asset } from "@conclave/custody";
import type { DepositWatch } from "./deposit-watch.ts";

/** Limit on the characters of a node's place name in a log line. */
const PLACE_SHOWN = 100;

/** A block whose arrivals are stored. */
export interface ReadBlock {
  readonly height: bigint;
  /** ISO 8601 UTC: when it was seen as a final block */
  readonly seen: string;
  /** describes what moved, as far as it is known */
  readonly assetOf: (moved: Arrival["moved"]) => Asset;
}

/** Logs an arrival that no record can hold. @param at the wallet or the watch that it concerns */
export const reportUnstorable = (
  { network, logger, counted }: Pick<DepositWatch, "network" | "logger" | "counted">,
  height: bigint,
  arrival: Arrival,
  at: { readonly walletId: string } | { readonly addressWatchId: string },
): void =>
  counted.depositUnstorable(logger, { network, height, ...at, place: arrival.place.slice(0, PLACE_SHOWN) });
