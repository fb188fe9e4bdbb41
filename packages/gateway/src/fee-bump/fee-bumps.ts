import type { ChainNode, FeeBumps } from "@conclave/chains";
import { networkSchema } from "@conclave/custody";
import {
  attend,
  correctFeeWaits,
  type FeeWait,
  hasFeeWaits,
  putOffFeeWait,
  putOffWaitsBehind,
  readChainRequest,
  type Subscription,
  takeFeeWaits,
} from "@conclave/platform";
import type { ReadableChain } from "../dependencies.ts";
import { feeLookFailed, feeLooksFailed } from "../log-events.ts";
import { type BumpWork, bumpRequest, type NetworkNow } from "./bump-request.ts";

/** Requests in a round, and how long other gateways leave them alone: many times the duration of a look. */
const BATCH = 64;
const LEASE_MS = 30_000;

/** The gateway's own node, which alone decides how many blocks there are, and that a transaction is in none. */
export type BumpChain = ReadableChain & Pick<ChainNode, "head" | "sight">;

export interface FeeBumpParts extends Omit<BumpWork, "chains"> {
  readonly chains: ReadonlyMap<string, BumpChain>;
}

/**
 * Raises the fees of waiting transactions, until stopped, on the networks that are configured so. Each network has its
 * own loop, so that a hung node delays no other network. Many gateways may run.
 */
export const startFeeBumps = (parts: FeeBumpParts): Subscription => {
  const loops = [...parts.chains.values()].flatMap((chain) => {
    const rule = chain.network.feeBumps;
    if (rule === undefined) return [];
    const { network } = chain.network;
    return attend({
      world: parts.world,
      round: () => bumpNetwork(parts, chain, rule),
      onFailure: (err) => feeLooksFailed(parts.logger, { err, network }),
    });
  });
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
};

/**
 * Looks once at the requests that have waited for long enough on a network.
 * @param batch limit on the requests
 * @returns the number of requests
 */
export const bumpNetwork = async (
  parts: FeeBumpParts,
  chain: BumpChain,
  rule: FeeBumps,
  batch = BATCH,
): Promise<number> => {
  const { database, logger } = parts;
  const network = networkSchema.parse(chain.network.network);
  if (!(await hasFeeWaits(database, network))) return 0;
  const head = await chain.head();
  if (!head.ok) return 0;
  const { height } = head.value;
  const due = height - BigInt(rule.afterBlocks);
  await correctFeeWaits(database, network, height, rule.afterBlocks);
  await putOffWaitsBehind(database, network, due, height);
  const waits = await takeFeeWaits(database, network, due, LEASE_MS, batch);
  if (waits.length === 0) return 0;
  const market = await chain.feeLevels();
  // claimed requests are looked at again once their lease is over
  if (!market.ok) return 0;
  for (const wait of waits) {
    await lookApart(parts, chain, wait, { rule, height, market: market.value }).catch((err: unknown) =>
      feeLookFailed(logger, { err, requestId: wait.requestId }),
    );
  }
  return waits.length;
};

/** Asks the chain, before anything is locked, and then raises the fee. */
const lookApart = async (
  parts: FeeBumpParts,
  chain: BumpChain,
  wait: FeeWait,
  now: NetworkNow,
): Promise<void> => {
  const { database } = parts;
  const request = await readChainRequest(database, wait.requestId);
  // an orchestrator wrote the row of the wait, so it is checked
  if (request?.txHash === undefined || request.network !== chain.network.network) return;
  const sighting = await chain.sight(request.txHash);
  if (!sighting.ok) return;
  // the transaction has landed, and is not confirmed yet
  if (sighting.value.kind === "included") {
    return database.transaction((connection) => putOffFeeWait(connection, wait.requestId, now.height));
  }
  await bumpRequest(parts, wait, now);
};
