import type { Chain } from "@conclave/chains/node";
import { isChainWallet, type Transfer } from "@conclave/custody";
import {
  type Connection,
  type Database,
  type Logger,
  readWallet,
  takeBroadcasted,
  takeRecentlyConfirmed,
} from "@conclave/platform";
import { applyTo } from "./apply.ts";
import { isDisplaced } from "./displaced.ts";
import { now } from "./step.ts";

/** Transfers looked at in one transaction; the others come in the next. */
const BATCH = 16;
/** For how long a confirmed transfer is looked at for reorganisations deeper than the network's confirmations. */
const WATCH_CONFIRMED_MINUTES = 15;

export interface Confirmations {
  readonly database: Database;
  readonly chains: ReadonlyMap<string, Chain>;
  readonly logger: Logger;
}

type Look = (work: Confirmations, connection: Connection, chain: Chain, transfer: Transfer) => Promise<void>;
type Take = (connection: Connection, after: string) => Promise<readonly Transfer[]>;

/**
 * Looks once at every transfer that waits for its confirmation. Rows are taken with SKIP LOCKED, so that
 * orchestrators share them.
 * @returns how many it looked at
 */
export const followBroadcasted = (work: Confirmations): Promise<number> =>
  lookAtAll(work, (connection, after) => takeBroadcasted(connection, after, BATCH), lookAtBroadcasted);

/** Looks once at every freshly confirmed transfer: a reorganisation takes it back to Broadcasted. */
export const watchConfirmed = (work: Confirmations): Promise<number> =>
  lookAtAll(
    work,
    (connection, after) => takeRecentlyConfirmed(connection, WATCH_CONFIRMED_MINUTES, after, BATCH),
    lookAtConfirmed,
  );

const lookAtAll = async (work: Confirmations, take: Take, look: Look): Promise<number> => {
  let looked = 0;
  let after = "";
  for (;;) {
    const batch = await work.database.transaction(async (connection) => {
      const transfers = await take(connection, after);
      // one after another: they share one connection, whose statements do not run side by side anyway
      for (const transfer of transfers) {
        const chain = work.chains.get(transfer.network);
        if (chain !== undefined) await look(work, connection, chain, transfer);
      }
      return transfers;
    });
    looked += batch.length;
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return looked;
    after = last.id;
  }
};

const lookAtBroadcasted: Look = async (work, connection, chain, transfer) => {
  const sighting = await chain.sight(transfer.txHash ?? "");
  if (!sighting.ok) return;
  switch (sighting.value.kind) {
    case "waiting":
      return;
    case "unknown":
      return sendAgain(work, connection, chain, transfer);
    case "included": {
      const { depth, succeeded, blockNumber, blockHash } = sighting.value;
      if (depth < chain.network.confirmations) return;
      const date = now();
      const fee = sighting.value.fee.toString();
      const confirmed = { kind: "Confirmed", date, fee, blockNumber, blockHash } as const;
      const reverted = {
        kind: "Failed",
        date,
        fee,
        reason: "the chain executed it and reverted it",
      } as const;
      await applyTo(connection, transfer, succeeded ? confirmed : reverted);
      work.logger.info(
        { transferId: transfer.id, txHash: transfer.txHash, succeeded, fee },
        "transfer settled",
      );
    }
  }
};

/** The node lost it, or a reorganisation dropped its block: the same bytes go out again (INV-4). */
const sendAgain = async (
  { logger }: Confirmations,
  connection: Connection,
  chain: Chain,
  transfer: Transfer,
): Promise<void> => {
  if (transfer.signedTransaction === undefined) return;
  const outcome = await chain.broadcast(transfer.signedTransaction);
  logger.warn(
    { transferId: transfer.id, outcome },
    "the chain does not know a broadcast transaction; sent again",
  );
  if (outcome.kind !== "nonce-spent") return;
  const wallet = await readWallet(connection, transfer.walletId);
  if (wallet === undefined || !isChainWallet(wallet)) return;
  const reason = await isDisplaced(chain, wallet.address, transfer);
  if (reason !== undefined) await applyTo(connection, transfer, { kind: "Failed", date: now(), reason });
};

const lookAtConfirmed: Look = async ({ logger }, connection, chain, transfer) => {
  const sighting = await chain.sight(transfer.txHash ?? "");
  if (!sighting.ok) return;
  if (sighting.value.kind === "included" && sighting.value.blockHash === transfer.blockHash) return;
  logger.warn(
    { transferId: transfer.id, blockHash: transfer.blockHash },
    "a reorganisation undid a confirmation",
  );
  await applyTo(connection, transfer, { kind: "Reorganised", date: now() });
};
