import type { LedgerHost } from "../../host.ts";
import type { RippledEffect, RippledEvent } from "../advance.ts";
import { rippledSeconds } from "../ripple-time.ts";
import type { RippledState } from "../state.ts";
import type { RippledStreams } from "./streams.ts";

/** A running ledger, as the routes see it. */
export interface RippledNode {
  readonly host: LedgerHost<RippledState, RippledEvent, RippledEffect>;
  readonly streams: RippledStreams;
}

/** Closes one ledger with the waiting transactions, and notifies subscribers. */
export const closeRippledLedgerNow = ({ host, streams }: RippledNode): void => {
  for (const effect of host.apply({ kind: "close", time: rippledSeconds(host.now) })) {
    if (effect.kind === "closed") streams.publish(effect.ledger, host.state);
  }
};
