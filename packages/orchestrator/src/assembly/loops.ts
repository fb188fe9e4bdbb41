import { isoNow, networkSchema } from "@conclave/custody";
import {
  followedNetworks,
  forgetLapsedLeases,
  type Loop,
  releaseOfGone,
  startLoop,
} from "@conclave/platform";
import { EXPIRY_MS, expireApprovals } from "../approvals.ts";
import { MARKED_EVERY_MS } from "../chain-requests/kept-records.ts";
import { noticeDatabaseJumps } from "../clocks/notice-database-jumps.ts";
import { noticeJumps } from "../clocks/notice-jumps.ts";
import { noticeSignerClocks } from "../clocks/notice-signer-clocks.ts";
import { noWatchMemory } from "../deposits/deposit-watch.ts";
import { tokenDescriber } from "../deposits/described-tokens.ts";
import { watchDeposits } from "../deposits/watch-deposits.ts";
import { makeFollower } from "../following/follower.ts";
import { type NetworksInUse, networksInUse } from "../following/networks-in-use.ts";
import { settleLeftoverEpochs } from "../keys/leftover-epochs.ts";
import { settleLeftoverShares } from "../keys/leftover-shares.ts";
import { Leftovers } from "../keys/leftovers.ts";
import { requestsTakenOver } from "../log/log-events.ts";
import { makeWaitNotes } from "../queue/note-waiting.ts";
import { retryParked } from "../queue/parked.ts";
import type { Core } from "./core.ts";

const AFTER_FAILURE_MS = 1_000;
/** The least pause between two rounds of following: each broadcast asks for one, and there may be many in a second. */
const FOLLOWING_MS_LEAST = 50;
/** How often orchestrators that are there no more are looked for. */
const GONE_MS = 500;
/** How often leases that lapsed long ago are deleted. */
const FORGET_LEASES_MS = 10 * 60_000;

/** Names the part of the work that failed. */
export type Failed = (what: string) => (error: unknown) => void;

/** Starts all that is looked at again and again. @returns the loops, and those that follow a network by its name */
export const startLoops = (
  core: Core,
  failed: Failed,
): { readonly following: ReadonlyMap<string, Loop>; readonly all: readonly Loop[] } => {
  const { readiness, stock } = core;
  const loop: MakeLoop = (what, round, leastPauseMs = 0) =>
    startLoop({
      world: core.world,
      round,
      onFailure: failed(what),
      pauseAfterFailureMs: AFTER_FAILURE_MS,
      leastPauseMs,
    });
  const ready = loop("looking at the cluster's readiness", () => readiness.look());
  const pending = new Leftovers("pending");
  const leftovers = loop("settling leftover shares", () => settleLeftoverShares(core, pending));
  const waiting = new Leftovers("waiting");
  const epochs = loop("settling leftover epochs", () => settleLeftoverEpochs(core, waiting));
  const presigning = loop("keeping presignatures ready", () => stock.look());
  const renewal = loop("renewing leases of presignatures", () => stock.renew());
  const jumps = loop("comparing the clocks", noticeJumps(core.world, core.leases, core.logger));
  const signerClocks = loop("comparing signers' clocks", noticeSignerClocks(core.signers, core.logger));
  const databaseJumps = loop("asking for the database's time", noticeDatabaseJumps(core));
  const expiry = loop("expiring approvals", async () => {
    await expireApprovals(core.database, isoNow({ nowMs: core.clock.earlierMs }), core.logger);
    return EXPIRY_MS;
  });
  const noteWaiting = makeWaitNotes(core.database, () => core.coordinators.shortage(), core.logger);
  const waitNotes = loop("telling of requests that wait", noteWaiting);
  const parked = loop("taking up parked requests", () => retryParked(core.database, core.logger));
  const inUse = usedNetworks(core);
  const following = followingLoops(core, inUse, loop);
  const cluster = [
    ready,
    leftovers,
    epochs,
    presigning,
    renewal,
    jumps,
    ...recordLoops(core, loop),
    expiry,
    waitNotes,
    parked,
    databaseJumps,
    signerClocks,
  ];
  return { following, all: [...cluster, ...following.values(), ...depositLoops(core, inUse, loop)] };
};

type MakeLoop = (what: string, round: () => Promise<number>, leastPauseMs?: number) => Loop;

/** Those that keep the records of orchestrators themselves. */
const recordLoops = (core: Core, loop: MakeLoop): readonly Loop[] => {
  const gone = loop("taking over from orchestrators that ended", async () => {
    const count = await releaseOfGone(core.database);
    if (count > 0) requestsTakenOver(core.logger, { count });
    return GONE_MS;
  });
  const marks = loop("marking the records", async () => {
    await core.records.since();
    return MARKED_EVERY_MS;
  });
  const lapsed = loop("forgetting lapsed leases", async () => {
    await forgetLapsedLeases(core.database);
    return FORGET_LEASES_MS;
  });
  return [gone, marks, lapsed];
};

const usedNetworks = ({ chains, database, world }: Core): NetworksInUse =>
  networksInUse({
    world,
    networks: [...chains.keys()].map((name) => networkSchema.parse(name)),
    followedNetworks: (networks) => followedNetworks(database, networks),
  });

/** One loop for each network, so that a node that hangs keeps no other network waiting. */
const followingLoops = (
  { chains, database, gathered, logger, world }: Core,
  inUse: NetworksInUse,
  loop: MakeLoop,
): ReadonlyMap<string, Loop> =>
  new Map(
    [...chains].map(([name, chain]) => {
      const network = networkSchema.parse(name);
      const isUsed = () => inUse.isUsed(network);
      const follower = makeFollower({ database, chain, logger, network, isUsed, world, gathered });
      const { ring, stop } = loop(`following ${network}`, follower.round, FOLLOWING_MS_LEAST);
      const stopBoth = async (): Promise<void> => {
        await Promise.all([stop(), follower.stop()]);
      };
      return [name, { ring, stop: stopBoth }];
    }),
  );

/** Likewise. */
const depositLoops = (
  { chains, database, families, logger, metrics, world }: Core,
  inUse: NetworksInUse,
  loop: MakeLoop,
): readonly Loop[] =>
  [...chains.values()].map((chain) => {
    const network = networkSchema.parse(chain.node.network.network);
    const now = () => isoNow(world);
    const unread = (blocks: number) => metrics.unreadBlocks.set({ network }, blocks);
    const isUsed = () => inUse.isUsed(network);
    const describeTokens = tokenDescriber(world);
    const { monotonicMs } = world;
    const reporting = { now, monotonicMs, unread, logger, counted: metrics.deposits };
    const memory = noWatchMemory();
    const watch = { database, families, chain, network, memory, isUsed, describeTokens, ...reporting };
    return loop(`watching for deposits on ${network}`, () => watchDeposits(watch));
  });
