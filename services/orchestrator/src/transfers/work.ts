import type { Chain } from "@conclave/chains/node";
import { isChainWallet, type Transfer, type TransferId, transferIdSchema } from "@conclave/custody";
import {
  type Database,
  type Delivery,
  type Disposition,
  type Logger,
  readTransfer,
  readWallet,
} from "@conclave/platform";
import { z } from "zod";
import { broadcast } from "./broadcast.ts";
import { begin, build } from "./prepare.ts";
import { type SigningQuorum, sign } from "./sign.ts";
import type { Next, Step, TransferWork } from "./step.ts";

/** Four steps lead from a request to its broadcast; a few more looks cover deliveries that cross each other. */
const MOST_STEPS = 12;
const RETRY_MS = 1_000;

const messageSchema = z.object({ transferId: transferIdSchema });

export interface TransferHandler {
  readonly database: Database;
  /** by network */
  readonly chains: ReadonlyMap<string, Chain>;
  readonly quorum: SigningQuorum;
  readonly logger: Logger;
  /** called when a transfer has been broadcast */
  readonly broadcasted: () => void;
}

/** The step that a transfer's row asks for; undefined when its broadcast is done, or it is at its end. */
const nextStep = (transfer: Transfer): Step | undefined => {
  switch (transfer.status) {
    case "Pending":
      return begin;
    case "Executing":
      if (transfer.unsignedTransaction === undefined) return build;
      return transfer.signedTransaction === undefined ? sign : broadcast;
    case "Broadcasted":
    case "Confirmed":
    case "Failed":
    case "Rejected":
      return undefined;
  }
};

/**
 * Carries a transfer to its broadcast. Each step reads the row, does one thing and stores it, so that a crash
 * between any two steps, a second delivery or a second orchestrator only repeats what is harmless (INV-4, INV-5).
 */
export const carryOut = async (handler: TransferHandler, id: TransferId): Promise<Disposition> => {
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const transfer = await readTransfer(handler.database, id);
    const step = transfer && nextStep(transfer);
    if (transfer === undefined || step === undefined) return { kind: "Done" };
    const work = await workOf(handler, transfer);
    if (work === undefined) return { kind: "Again", afterMs: RETRY_MS };
    const next: Next = await step(work, transfer);
    if (next.kind === "again") return { kind: "Again", afterMs: next.afterMs };
    if (step === broadcast) handler.broadcasted();
  }
  return { kind: "Again", afterMs: RETRY_MS };
};

/** The wallet was active, on a chain, and its network served when the gateway took the request; networks may have changed since. */
const workOf = async (handler: TransferHandler, transfer: Transfer): Promise<TransferWork | undefined> => {
  const { database, chains, quorum, logger } = handler;
  const wallet = await readWallet(database, transfer.walletId);
  const chain = chains.get(transfer.network);
  if (wallet !== undefined && isChainWallet(wallet) && chain !== undefined) {
    return { database, chain, wallet, quorum, logger };
  }
  logger.error(
    { transferId: transfer.id, network: transfer.network },
    "a transfer's wallet or network is not served",
  );
  return undefined;
};

/** What the consumer of transfer requests does with a message. */
export const handleTransfer =
  (handler: TransferHandler) =>
  async ({ data }: Delivery): Promise<Disposition> => {
    const message = messageSchema.safeParse(data);
    if (message.success) return carryOut(handler, message.data.transferId);
    handler.logger.error({ issues: message.error.issues }, "a transfer request cannot be read");
    return { kind: "Done" };
  };
