import type { TransferIntent } from "@conclave/chains/node";
import { ok, type Transfer } from "@conclave/custody";
import { highestNonce, lockTransfer, lockWallet, otherHoldsNonce } from "@conclave/platform";
import { applyTo, failUnsigned, noteReason } from "./apply.ts";
import { authorisedOf } from "./authorised.ts";
import { again, GO_ON, type Next, type Step, type TransferWork } from "./step.ts";

/** An earlier transfer of the wallet mostly is broadcast in less than this. */
const WALLET_BUSY_MS = 200;
const CHAIN_AWAY_MS = 1_000;

/** Pending → Executing. */
export const begin: Step = ({ database }, transfer) =>
  database.transaction(async (connection): Promise<Next> => {
    const current = await lockTransfer(connection, transfer.id);
    if (current?.status === "Pending") await applyTo(connection, current, { kind: "Begun" });
    return GO_ON;
  });

/**
 * Gives an executing transfer its nonce and its unsigned bytes, late (after any approval) and durably (before
 * anything is signed). The nonce is the higher of the chain's count and what our own records leave free. Until this
 * is stored nothing can be signed, so that an impossible transfer may fail here at no risk (INV-4).
 *
 * One transfer of a wallet at a time holds a nonce that is not broadcast; the wallet's row orders them. A transfer
 * that fails on its way thus never leaves a hole that blocks the account.
 */
export const build: Step = async (work, transfer) => {
  const { database } = work;
  if (await otherHoldsNonce(database, transfer.walletId, transfer.id)) return behind(work, transfer);
  const highest = await highestNonce(database, transfer.walletId);
  const built = await work.chain.build(intentOf(work, transfer, highest === undefined ? 0 : highest + 1));
  if (!built.ok) return notBuilt(work, transfer, built.problem.code, built.problem.message);
  const { nonce, unsigned } = built.value;
  return database.transaction(async (connection): Promise<Next> => {
    await lockWallet(connection, transfer.walletId);
    const current = await lockTransfer(connection, transfer.id);
    // a second delivery of the same message may have been faster
    if (current === undefined || current.unsignedTransaction !== undefined) return GO_ON;
    // what was looked at above may have changed while the chain was asked: the lock makes it certain
    if (await otherHoldsNonce(connection, transfer.walletId, transfer.id)) return again(WALLET_BUSY_MS);
    if ((await highestNonce(connection, transfer.walletId)) !== highest) return GO_ON;
    await applyTo(connection, current, { kind: "Built", nonce, unsignedTransaction: unsigned });
    return GO_ON;
  });
};

const intentOf = ({ wallet }: TransferWork, transfer: Transfer, lowestNonce: number): TransferIntent => {
  const { requestBody } = transfer;
  return {
    sender: wallet.address,
    transfer: authorisedOf(transfer).transfer,
    priority: "priority" in requestBody ? requestBody.priority : undefined,
    lowestNonce,
  };
};

/**
 * A transfer that had to wait after it was built gets the fees of now, under the nonce that it has: hours may have
 * passed, and old fees might never be taken. Should the chain count past that nonce, the old bytes stay: signed and
 * broadcast, they bring the proof that they cannot land.
 */
export const renew: Step = async (work, transfer) => {
  const built = await work.chain.build(intentOf(work, transfer, transfer.nonce ?? 0));
  if (!built.ok) return notBuilt(work, transfer, built.problem.code, built.problem.message);
  const { nonce, unsigned } = built.value;
  return work.database.transaction(async (connection): Promise<Next> => {
    const current = await lockTransfer(connection, transfer.id);
    if (current?.status !== "Executing" || current.signedTransaction !== undefined) return GO_ON;
    const renewed =
      nonce === current.nonce
        ? await applyTo(connection, current, { kind: "Built", nonce, unsignedTransaction: unsigned })
        : ok(current);
    if (renewed.ok) await applyTo(connection, renewed.value, { kind: "Waiting", reason: undefined });
    return GO_ON;
  });
};

const behind = async ({ database, quorum }: TransferWork, transfer: Transfer): Promise<Next> => {
  await noteReason(database, transfer, quorum.shortage() ?? "waiting for an earlier transfer of the wallet");
  return again(WALLET_BUSY_MS);
};

const notBuilt = async (
  { database }: TransferWork,
  transfer: Transfer,
  code: string,
  reason: string,
): Promise<Next> => {
  if (code === "ServiceUnavailable") {
    await noteReason(database, transfer, reason);
    return again(CHAIN_AWAY_MS);
  }
  await failUnsigned(database, transfer.id, reason);
  return GO_ON;
};
