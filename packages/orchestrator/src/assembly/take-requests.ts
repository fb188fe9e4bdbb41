import { DUE_SUBJECT, LANES, type Loop, type Roster, type Slots, type Stoppable } from "@conclave/platform";
import { hasNothingSigned, lookAtChainRequest } from "../chain-requests/work.ts";
import { lookAtKeyExport } from "../keys/key-exports.ts";
import { lookAtKey } from "../keys/keys.ts";
import type { RequestLook } from "../queue/disposition.ts";
import { startTaking } from "../queue/take.ts";
import { lookAtSignature } from "../signatures/work.ts";
import type { Core } from "./core.ts";

/** Requests that are worked on at a time: of each network, and of each other kind. */
const CHAIN_REQUESTS_AT_A_TIME = 5;
const KEYS_AT_A_TIME = 2;
const SIGNATURES_AT_A_TIME = 4;

/** Returns how many requests of each lane are worked on at a time. Each network has a lane, and so has each kind of request without a network. */
const slotsOf = (chains: Core["chains"]): Slots =>
  new Map([
    ...[...chains.keys()].map((network): [string, number] => [network, CHAIN_REQUESTS_AT_A_TIME]),
    [LANES.key, KEYS_AT_A_TIME],
    [LANES.export, KEYS_AT_A_TIME],
    [LANES.signature, SIGNATURES_AT_A_TIME],
  ]);

/** Takes requests that are due, and works on them. */
export const takeRequests = (
  core: Core,
  roster: Pick<Roster, "signers">,
  following: ReadonlyMap<string, Loop>,
): Stoppable => {
  const { bus, database, chains, coordinators, gathered, signers, stock, logger, world } = core;
  const { signal } = bus;
  const chainRequest = lookAtChainRequest({
    database,
    chains,
    quorum: coordinators,
    gathered,
    logger,
    world,
    records: core.records,
    broadcasted: (network) => following.get(network)?.ring(),
    signal,
  });
  const signature = lookAtSignature({
    database,
    families: core.families,
    networks: [...chains.values()].map(({ node }) => node.network),
    quorum: coordinators,
    signal,
    logger,
    world,
  });
  const key = lookAtKey({
    database,
    networks: new Set(chains.keys()),
    signers,
    coordinators,
    signal,
    made: (keyId) => stock.noteUse(keyId),
    logger,
    world,
  });
  const keyExport = lookAtKeyExport({ database, roster, coordinators, signal, logger, world });
  return startTaking({
    database,
    presentAs: core.presence.presentAs,
    slots: slotsOf(chains),
    looks: {
      transfer: timed(core, "transfer", chainRequest),
      transaction: timed(core, "transaction", chainRequest),
      key: timed(core, "key", key),
      export: timed(core, "export", keyExport),
      signature: timed(core, "signature", signature),
    },
    letsGo: async ({ id, kind }) =>
      (kind !== "transfer" && kind !== "transaction") || hasNothingSigned(database, id),
    hear: (ring) => bus.listen(DUE_SUBJECT, ring),
    world,
    logger,
  });
};

const timed =
  ({ metrics }: Core, request: string, look: RequestLook): RequestLook =>
  async (held) => {
    const end = metrics.deliverySeconds.startTimer({ request });
    const disposition = await look(held);
    end({ disposition: disposition.kind });
    return disposition;
  };
