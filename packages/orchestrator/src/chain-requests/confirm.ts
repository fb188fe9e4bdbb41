import { type ChainRequest, isChainWallet } from "@conclave/custody";
import {
  appendToOutbox,
  type Connection,
  chainRequestAgain,
  changeChainRequest,
  type Database,
  type Logger,
  readWallet,
  takeBroadcasted,
  takeRecentlySettled,
} from "@conclave/platform";
import { bury, fateOfRequest } from "./fate.ts";
import type { ServedChain } from "./served-chain.ts";
import { now } from "./step.ts";

/** Requests looked at in one transaction; the others come in the next. */
const BATCH = 16;
/** For how long a settled request is looked at for reorganisations deeper than the network's confirmations. */
const WATCH_SETTLED_MINUTES = 15;

/** Such as when the node of an EVM network answers no JSON-RPC batches. */
const NO_VERDICT = "the chain node does not tell whether a transaction can still land";

export interface Confirmations {
  readonly database: Database;
  readonly chains: ReadonlyMap<string, ServedChain>;
  readonly logger: Logger;
}

type Look = (
  work: Confirmations,
  connection: Connection,
  chain: ServedChain,
  request: ChainRequest,
) => Promise<void>;
type Take = (connection: Connection, after: string) => Promise<readonly ChainRequest[]>;

/**
 * Looks once at every request that waits for its confirmation. Rows are taken with SKIP LOCKED, so that
 * orchestrators share them.
 * @returns how many it looked at
 */
export const followBroadcasted = (work: Confirmations): Promise<number> =>
  lookAtAll(work, (connection, after) => takeBroadcasted(connection, after, BATCH), lookAtBroadcasted);

/** Looks once at every freshly settled request: a reorganisation takes it back to Broadcasted. */
export const watchSettled = (work: Confirmations): Promise<number> =>
  lookAtAll(
    work,
    (connection, after) => takeRecentlySettled(connection, WATCH_SETTLED_MINUTES, after, BATCH),
    lookAtSettled,
  );

const lookAtAll = async (work: Confirmations, take: Take, look: Look): Promise<number> => {
  let looked = 0;
  let after = "";
  for (;;) {
    const batch = await work.database.transaction(async (connection) => {
      const requests = await take(connection, after);
      // one after another: they share one connection, whose statements do not run side by side anyway
      for (const request of requests) {
        const chain = work.chains.get(request.network);
        if (chain !== undefined) {
          await lookApart(work, connection, request, () => look(work, connection, chain, request));
        }
      }
      return requests;
    });
    looked += batch.length;
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return looked;
    after = last.id;
  }
};

/**
 * Looks at one request of a batch. What goes wrong with it undoes what was done for it alone, and keeps none of the others from being
 * settled; the next round looks at it again.
 */
const lookApart = async (
  { logger }: Confirmations,
  connection: Connection,
  { id, network, txHash }: ChainRequest,
  look: () => Promise<void>,
): Promise<void> => {
  await connection.execute("savepoint request");
  try {
    await look();
  } catch (err) {
    await connection.execute("rollback to savepoint request");
    logger.error({ err, requestId: id, network, txHash }, "what became of a transaction was not recorded");
  }
  await connection.execute("release savepoint request");
};

const lookAtBroadcasted: Look = async (work, connection, chain, request) => {
  const sighting = await chain.node.sight(request.txHash ?? "");
  if (!sighting.ok) return;
  switch (sighting.value.kind) {
    case "waiting":
      return;
    case "unknown":
      return sendAgain(work, connection, chain, request);
    case "included": {
      const { isFinal, succeeded, height, blockHash } = sighting.value;
      if (!isFinal) return;
      const date = now();
      const inclusion = { fee: sighting.value.fee.toString(), blockNumber: height, blockHash };
      await changeChainRequest(
        connection,
        request,
        succeeded
          ? { kind: "Confirmed", date, ...inclusion }
          : { kind: "Failed", date, inclusion, reason: reverted(sighting.value.reason) },
      );
      work.logger.info(
        { requestId: request.id, txHash: request.txHash, succeeded, fee: inclusion.fee },
        "transaction settled",
      );
    }
  }
};

/** @param why the chain's own word, where it has one */
const reverted = (why: string | undefined): string =>
  `the chain executed it and reverted it${why === undefined ? "" : `: ${why}`}`;

/** The node lost it, or a reorganisation dropped its block: the same bytes go out again (INV-4). */
const sendAgain = async (
  { logger }: Confirmations,
  connection: Connection,
  chain: ServedChain,
  request: ChainRequest,
): Promise<void> => {
  if (request.signedTransaction === undefined) return;
  const outcome = await chain.node.broadcast(request.signedTransaction);
  // one that was replaced is not in the pool, and the node says so each time
  const level = request.replacementId === undefined ? "warn" : "debug";
  logger[level](
    { requestId: request.id, outcome },
    "the chain does not know a broadcast transaction; sent again",
  );
  if (outcome.kind !== "outdated") return;
  const wallet = await readWallet(connection, request.walletId);
  if (wallet === undefined || !isChainWallet(wallet)) return;
  const fate = await fateOfRequest(chain, wallet.address, request);
  if (!fate.ok) logger.warn({ requestId: request.id, problem: fate.problem }, NO_VERDICT);
  if (!fate.ok || fate.value.kind === "open") return;
  const aftermath = await bury(connection, chain, request, fate.value.reason);
  if (aftermath === "reborn") await appendToOutbox(connection, chainRequestAgain(request));
};

/**
 * Whether what settled a request still stands: its own block, or what kept it from landing. One
 * that failed because another landed may land after all when the chain takes that one back.
 */
const lookAtSettled: Look = async ({ logger }, connection, chain, request) => {
  const sighting = await chain.node.sight(request.txHash ?? "");
  if (!sighting.ok) return;
  if (request.blockHash !== undefined && request.blockNumber !== undefined) {
    if (sighting.value.kind === "included" && sighting.value.blockHash === request.blockHash) return;
    // a node that lags behind knows neither the transaction nor its block: only another block in its place tells
    const block = await chain.node.block(request.blockNumber, new Set());
    if (!block.ok || block.value === undefined || block.value.hash === request.blockHash) return;
  } else if (sighting.value.kind === "unknown") {
    const wallet = await readWallet(connection, request.walletId);
    if (wallet === undefined || !isChainWallet(wallet)) return;
    const fate = await fateOfRequest(chain, wallet.address, request);
    if (!fate.ok || fate.value.kind === "dead") return;
  }
  logger.warn(
    { requestId: request.id, status: request.status, blockHash: request.blockHash },
    "a reorganisation undid what settled a request",
  );
  await changeChainRequest(connection, request, { kind: "Reorganised", date: now() });
};
