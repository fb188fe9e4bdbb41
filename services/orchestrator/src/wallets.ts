import type { Chain } from "@conclave/chains/node";
import type { HeldKey } from "@conclave/cluster";
import {
  type CreatingWallet,
  decideWallet,
  type KeyId,
  problem,
  type WalletEvent,
  type WalletId,
  walletIdSchema,
} from "@conclave/custody";
import {
  type Database,
  type Delivery,
  type Disposition,
  doneSubject,
  type Logger,
  lockWallet,
  readWallet,
  recordEvents,
  updateWallet,
} from "@conclave/platform";
import type { Signers } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";
import { z } from "zod";
import type { Coordinators } from "./coordinators.ts";

const RETRY_MS = 500;

const messageSchema = z.object({ walletId: walletIdSchema });

export interface WalletHandler {
  readonly database: Database;
  readonly chains: ReadonlyMap<string, Chain>;
  readonly signers: Signers;
  readonly coordinators: Pick<Coordinators, "generateKey">;
  /** tells a waiting gateway to read the row again */
  readonly signal: (subject: string) => void;
  /** a key is ready to sign with */
  readonly created: (keyId: KeyId) => void;
  readonly logger: Logger;
}

const DONE: Disposition = { kind: "Done" };
const AGAIN: Disposition = { kind: "Again", afterMs: RETRY_MS };

/** What each signer that answers holds of a key. Asked afresh: a status of a moment ago may be from before a run. */
const heldOf = async (signers: Signers, keyId: KeyId): Promise<ReadonlyMap<PartyIndex, HeldKey>> => {
  const held = new Map<PartyIndex, HeldKey>();
  const answers = await Promise.all(
    signers.all().map(async (signer) => ({ index: signer.index, status: await signer.getStatus("all") })),
  );
  for (const { index, status } of answers) {
    const key = status.ok ? status.value.keys.find((entry) => entry.keyId === keyId) : undefined;
    if (key?.state === "pending" || key?.state === "active") {
      held.set(index, { state: key.state, publicKey: key.publicKey });
    }
  }
  return held;
};

/** Writes the wallet's new state, its event and its message in one transaction, and wakes the gateway (INV-6). */
const settle = async (handler: WalletHandler, id: WalletId, event: WalletEvent): Promise<void> => {
  await handler.database.transaction(async (connection) => {
    const wallet = await lockWallet(connection, id);
    const decision = wallet && decideWallet(wallet, event);
    // settled meanwhile, by a second delivery of the message
    if (decision === undefined || !decision.ok) return;
    await updateWallet(connection, decision.value.wallet);
    await recordEvents(connection, decision.value.events);
  });
  handler.signal(doneSubject(id));
};

const makeKey = async (
  handler: WalletHandler,
  wallet: CreatingWallet,
  attempt: number,
): Promise<Disposition> => {
  const { signers, coordinators, chains, logger } = handler;
  const chain = chains.get(wallet.network);
  if (chain === undefined) {
    const reason = problem("NetworkNotEnabled", { network: wallet.network });
    await settle(handler, wallet.id, { kind: "KeyGenerationFailed", problem: reason });
    return DONE;
  }
  const unavailable = signers.unavailable();
  if (unavailable.length > 0) {
    // an earlier run may have activated the key on a signer that is away now: only all of them together can tell
    if (attempt > 1) return AGAIN;
    const reason = problem("SignersUnavailable", { unavailable });
    await settle(handler, wallet.id, { kind: "KeyGenerationFailed", problem: reason });
    return DONE;
  }
  const { keyId, authorisation } = wallet;
  const held = await heldOf(signers, keyId);
  const outcome = await coordinators.generateKey({ keyId, authorisation, held }).outcome;
  switch (outcome.kind) {
    case "done": {
      const { publicKey } = outcome.value;
      const address = chain.addressOf(publicKey);
      const date = new Date().toISOString();
      const key = Buffer.from(publicKey).toString("hex");
      await settle(handler, wallet.id, { kind: "KeyActivated", publicKey: key, address, date });
      handler.created(keyId);
      logger.info({ walletId: wallet.id, address }, "wallet created");
      return DONE;
    }
    case "failed":
      logger.warn({ walletId: wallet.id, problem: outcome.problem }, "key generation failed");
      await settle(handler, wallet.id, { kind: "KeyGenerationFailed", problem: outcome.problem });
      return DONE;
    case "stopped":
      return AGAIN;
  }
};

/**
 * What the consumer of wallet requests does with a message: all signers make the key and activate it, or none keeps
 * anything of it. A second delivery takes up what the first one left.
 */
export const handleWallet =
  (handler: WalletHandler) =>
  async ({ data, attempt }: Delivery): Promise<Disposition> => {
    const message = messageSchema.safeParse(data);
    if (!message.success) {
      handler.logger.error({ issues: message.error.issues }, "a wallet request cannot be read");
      return DONE;
    }
    const wallet = await readWallet(handler.database, message.data.walletId);
    return wallet?.status === "Creating" ? makeKey(handler, wallet, attempt) : DONE;
  };
