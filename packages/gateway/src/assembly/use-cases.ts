import { FairTurns, makeHealth, signersListing } from "@conclave/platform";
import { ADMISSION_LIMITS } from "../admission/limits.ts";
import { shareDatabase } from "../admission/shared-database.ts";
import { makeAuthority } from "../authority.ts";
import { clockProblem, whileClocksAgree } from "../clocks.ts";
import type { Dependencies } from "../dependencies.ts";
import type { BodyReading } from "../reading/body-reading.ts";
import { makeUserActions } from "../user-action/user-actions.ts";
import type { ServedNodes } from "./chains.ts";
import type { Connections } from "./connections.ts";
import type { GatewayParts } from "./parts.ts";

/** How long a caller waits for the signers. */
const SETTLEMENT_WAIT_MS = 60_000;

/** The parts that the assembly itself opened. */
export interface OpenedForUse {
  readonly connections: Connections;
  readonly chains: ServedNodes;
  readonly reading: BodyReading;
  /** aborted when the gateway stops */
  readonly stopping: AbortSignal;
}

/** The dependencies of the use cases. */
export const useCasesOf = (
  { roster, networks, authorityKey, tokens, ...parts }: GatewayParts,
  { connections, ...opened }: OpenedForUse,
): Dependencies => {
  const { world } = parts;
  const { bus, databaseClock } = connections;
  const now = (): Date => new Date(world.nowMs());
  const { database, onBehalfOf } = shareDatabase(connections.database, world, ADMISSION_LIMITS);
  return {
    world,
    now,
    logger: parts.logger,
    metrics: parts.metrics,
    ...opened,
    database,
    onBehalfOf,
    keyTurns: new FairTurns(world, ADMISSION_LIMITS.keys),
    contractTurns: new FairTurns(world, ADMISSION_LIMITS.contracts),
    bus,
    verifyToken: tokens.verify,
    authority: whileClocksAgree(databaseClock, makeAuthority(authorityKey, roster.clusterId, now)),
    userActions: makeUserActions({ database, tokens: tokens.actions, world }),
    issuer: tokens.issuer,
    decoys: parts.decoys,
    identityProviders: parts.identityProviders,
    relyingParties: parts.relyingParties,
    pageOrigins: parts.pageOrigins,
    proxies: parts.proxies,
    userActionsRequired: parts.userActionsRequired,
    threshold: roster.threshold,
    signers: signersListing(roster),
    roster,
    requestsPerMinute: parts.requestsPerMinute,
    admission: ADMISSION_LIMITS,
    webhooks: parts.webhooks,
    prices: parts.prices,
    networks: networks.map(({ network }) => network),
    families: parts.families,
    databaseClock,
    health: makeHealth([
      { name: "database", check: async () => (await database.execute("select 1")) === 1 },
      { name: "message bus", check: () => bus.connected(), isSpared: true },
      { name: "clock", check: () => clockProblem(databaseClock) === undefined },
    ]),
    settlementWaitMs: SETTLEMENT_WAIT_MS,
  };
};
