import type { ChainNode } from "@conclave/chains";
import {
  type ChainRequest,
  type ChainWallet,
  isChainWallet,
  judgeTransaction,
  networkSchema,
  type TransactionBody,
  transactionIdSchema,
  UNTOUCHED,
} from "@conclave/custody";
import {
  anyGathersCoins,
  attend,
  type Connection,
  type Database,
  hastenCoinLook,
  holdRights,
  type Logger,
  mayGatherCoins,
  noteCoins,
  readCoinGatherer,
  readWallet,
  type Subscription,
  type TakenLook,
  takeCoinLooks,
} from "@conclave/platform";
import { type Acceptance, acceptRequest, type Draft } from "../chain-request/accept-request.ts";
import { actOf } from "../chain-request/request-act.ts";
import type { Dependencies, ReadableChain } from "../dependencies.ts";
import { demand, Refused } from "../http/refused.ts";
import { coinLookFailed, coinLooksFailed, gatheringAccepted, gatheringRefused } from "../log-events.ts";
import { effectsOfAct } from "../policy/signing-activity.ts";

/**
 * The number of a wallet's coins above which the service gathers them: fewer than one transaction can spend, so that
 * payments always work.
 */
export const GATHERED_ABOVE_COINS = 200;
/** How often a wallet is looked at, and at most one request is made for it. */
const LOOK_EVERY_MS = 24 * 60 * 60_000;
/** Pause after a look that a node did not answer. */
const AGAIN_AFTER_MS = 10 * 60_000;
/** Pause between two rounds of a gateway on one network, in which the node can scan for coins for payments of all wallets. */
const PAUSE_MS = 60_000;
/** Wallets in a round: a node takes minutes to find all coins of an address, and scans for one caller at a time. */
const BATCH = 1;

/** A chain whose node shows which coins could be gathered. */
export type CoinChain = ReadableChain & Pick<ChainNode, "gathering">;

/** The dependencies of gathering coins. */
export interface CoinGatheringParts extends Omit<Acceptance, "chains">, Pick<Dependencies, "now"> {
  readonly database: Database;
  readonly logger: Logger;
  readonly chains: ReadonlyMap<string, CoinChain>;
}

/**
 * Gathers, until stopped, coins of wallets with many, for organisations that allow it, while fees are low. Each network
 * has its own loop, so that a hung node delays no other network. Many gateways may run.
 */
export const startCoinGathering = (parts: CoinGatheringParts): Subscription => {
  const loops = [...parts.chains.values()].flatMap((chain) => {
    if (chain.gathering === undefined) return [];
    const { network } = chain.network;
    let dueMs = 0;
    return attend({
      world: parts.world,
      round: async () => {
        if (parts.now().getTime() < dueMs) return 0;
        try {
          return await gatherOn(parts, chain);
        } finally {
          dueMs = parts.now().getTime() + PAUSE_MS;
        }
      },
      onFailure: (err) => coinLooksFailed(parts.logger, { err, network }),
    });
  });
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
};

/**
 * Looks once at wallets of a network that may hold many coins.
 * @returns the number of requests made
 */
export const gatherOn = async (parts: CoinGatheringParts, chain: CoinChain): Promise<number> => {
  const { database, logger } = parts;
  if (chain.gathering === undefined || !(await anyGathersCoins(database))) return 0;
  const cheap = await chain.gathering.isCheap();
  if (!cheap.ok || !cheap.value) return 0;
  const looks = { above: GATHERED_ABOVE_COINS, everyMs: LOOK_EVERY_MS, limit: BATCH };
  const network = networkSchema.parse(chain.network.network);
  let made = 0;
  for (const taken of await takeCoinLooks(database, network, looks)) {
    const isMade = await gatherFor(parts, chain.gathering, taken).catch((err: unknown) => {
      coinLookFailed(logger, { err, walletId: taken.walletId });
      return false;
    });
    if (isMade) made += 1;
  }
  return made;
};

/** Asks the node, before anything is locked, and then makes the request. @returns whether a request was made */
const gatherFor = async (
  parts: CoinGatheringParts,
  gathering: NonNullable<CoinChain["gathering"]>,
  taken: TakenLook,
): Promise<boolean> => {
  const { database, logger } = parts;
  const { walletId } = taken;
  const wallet = await readWallet(database, walletId);
  if (wallet === undefined || !isChainWallet(wallet)) return false;
  const found = await gathering.coinsOf(wallet.address);
  if (!found.ok) {
    await hastenCoinLook(database, walletId, AGAIN_AFTER_MS);
    return false;
  }
  const { coins, body } = found.value;
  await noteCoins(database, taken, coins);
  if (coins <= GATHERED_ABOVE_COINS) return false;
  const asked = database.transaction((connection) => ask(parts, connection, wallet, body));
  const request = await asked.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
    gatheringRefused(logger, { walletId, coins, reason: error.problem.message });
    return undefined;
  });
  if (request !== undefined) {
    gatheringAccepted(logger, { walletId, coins, requestId: request.id, status: request.status });
  }
  return request !== undefined;
};

/**
 * Makes the request in the same way as a caller's: judged by the policies in force, and only if the person who allowed
 * gathering could ask for it now. All writes are in one database transaction that has locked the row of the wallet's
 * look: a second gateway finds the request made, and a gateway that dies leaves nothing (INV-4).
 * @throws Refused when the person who allowed gathering may not ask for it any more, or not with this wallet
 */
const ask = async (
  parts: CoinGatheringParts,
  connection: Connection,
  wallet: ChainWallet,
  body: TransactionBody,
): Promise<ChainRequest | undefined> => {
  const { families, now, world } = parts;
  const { id: walletId, orgId, network, address, signingKey } = wallet;
  await holdRights(connection, orgId);
  const requester = await readCoinGatherer(connection, orgId);
  if (requester === undefined || !(await mayGatherCoins(connection, walletId))) return undefined;
  const content = demand(judgeTransaction(families, network, body, address, signingKey.publicKey));
  const draft: Draft = {
    ...UNTOUCHED,
    kind: "Transaction",
    id: world.freshId(transactionIdSchema, "tx"),
    orgId,
    walletId,
    network,
    requester,
    requestBody: body,
    isGathering: true,
    externalId: undefined,
    replacesId: undefined,
    dateRequested: now().toISOString(),
  };
  const act = demand(await actOf(parts, connection, wallet, draft, content));
  return acceptRequest(parts, connection, wallet, draft, act, effectsOfAct(parts, act));
};
