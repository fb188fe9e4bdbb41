import type { LedgerHost } from "../../host.ts";
import type { AgaveEffect, AgaveEvent } from "../advance.ts";
import type { AgaveEngine } from "../engine/engine.ts";
import type { AgaveView } from "../rpc/method.ts";
import type { AgaveState } from "../state.ts";
import type { AgaveSubscriptions } from "./subscriptions.ts";

/** A running ledger, as the routes see it. */
export interface AgaveNode {
  readonly engine: AgaveEngine;
  readonly host: LedgerHost<AgaveState, AgaveEvent, AgaveEffect>;
  readonly subscriptions: AgaveSubscriptions;
}

export const agaveViewOf = ({ engine, host }: AgaveNode): AgaveView => ({
  engine,
  state: host.state,
  apply: (event) => host.apply(event),
});

/** Changes the chain, and notifies subscribers. */
export const changeAgaveChain = (
  { host, subscriptions }: AgaveNode,
  event: Extract<AgaveEvent, { readonly kind: "mine" | "reorg" }>,
): readonly AgaveEffect[] => {
  const before = host.state;
  const effects = host.apply(event);
  if (host.state !== before) subscriptions.publish(before, host.state);
  return effects;
};

/** Makes one block of the waiting transactions. */
export const mineAgaveNow = (node: AgaveNode): void => {
  changeAgaveChain(node, { kind: "mine", time: Math.floor(node.host.now / 1_000) });
};
