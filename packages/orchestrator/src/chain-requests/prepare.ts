import type { Act, Place, TransactionIntent } from "@conclave/chains/node";
import type { AuthorisedAct, ChainRequest } from "@conclave/custody";
import {
  changeChainRequest,
  highestNonce,
  lockChainRequest,
  lockWallet,
  otherHoldsNonce,
  readChainRequest,
} from "@conclave/platform";
import { failUnsigned, noteReason } from "./apply.ts";
import { authorisedOf } from "./authorised.ts";
import { again, GO_ON, type Next, type RequestWork, type Step } from "./step.ts";

/** An earlier request of the wallet mostly is broadcast in less than this. */
const WALLET_BUSY_MS = 200;
const CHAIN_AWAY_MS = 1_000;

/** Pending → Executing. */
export const begin: Step = ({ database }, request) =>
  database.transaction(async (connection): Promise<Next> => {
    const current = await lockChainRequest(connection, request.id);
    if (current?.status === "Pending") await changeChainRequest(connection, current, { kind: "Begun" });
    return GO_ON;
  });

/**
 * Gives an executing request its nonce and its unsigned bytes, late (after any approval) and durably (before
 * anything is signed). The nonce is the higher of the chain's count and what our own records leave free. Until this
 * is stored nothing can be signed, so that an impossible request may fail here at no risk (INV-4).
 *
 * One request of a wallet at a time holds a nonce with which nothing is broadcast; the wallet's row orders them. So one
 * that fails on its way never leaves a hole that blocks the account: the next one takes its nonce.
 */
export const build: Step = async (work, request) => {
  const authorised = authorisedOf(request);
  if (authorised.kind === "transaction" && authorised.replaces !== undefined) {
    return buildReplacement(work, request, authorised);
  }
  const { database } = work;
  if (await otherHoldsNonce(database, request.walletId, request.id)) return behind(work, request);
  const highest = await highestNonce(database, request.walletId);
  const lowest = highest === undefined ? 0 : highest + 1;
  const built = await work.chain.build(intentOf(work, request, authorised, { kind: "next", lowest }));
  if (!built.ok) return notBuilt(work, request, built.problem.code, built.problem.message);
  const { nonce, unsigned, details } = built.value;
  return database.transaction(async (connection): Promise<Next> => {
    await lockWallet(connection, request.walletId);
    const current = await lockChainRequest(connection, request.id);
    // a second delivery of the same message may have been faster, or its owner does not want it any more
    if (current?.status !== "Executing" || current.unsignedTransaction !== undefined) return GO_ON;
    // what was looked at above may have changed while the chain was asked: the lock makes it certain
    if (await otherHoldsNonce(connection, request.walletId, request.id)) return again(WALLET_BUSY_MS);
    if ((await highestNonce(connection, request.walletId)) !== highest) return GO_ON;
    await changeChainRequest(connection, current, {
      kind: "Built",
      nonce,
      unsignedTransaction: unsigned,
      details,
    });
    return GO_ON;
  });
};

/**
 * Builds a request in the place of another: the same account nonce, higher fees. Nothing else gets a nonce here, so it
 * waits for nobody. The gateway has named it as the replacement; as long as it is, nothing else replaces that one.
 */
const buildReplacement = async (
  work: RequestWork,
  request: ChainRequest,
  authorised: AuthorisedAct,
): Promise<Next> => {
  const place = await placeOf(work, request);
  const built = await work.chain.build(intentOf(work, request, authorised, place));
  if (!built.ok) return notBuilt(work, request, built.problem.code, built.problem.message);
  const { nonce, unsigned, details } = built.value;
  return work.database.transaction(async (connection): Promise<Next> => {
    const current = await lockChainRequest(connection, request.id);
    if (current?.status !== "Executing" || current.unsignedTransaction !== undefined) return GO_ON;
    await changeChainRequest(connection, current, {
      kind: "Built",
      nonce,
      unsignedTransaction: unsigned,
      details,
    });
    return GO_ON;
  });
};

/** The place that a request has taken, or that of the one which it replaces. */
const placeOf = async ({ database }: RequestWork, request: ChainRequest): Promise<Place> => {
  if (request.replacesId === undefined) return { kind: "kept", nonce: request.nonce ?? 0 };
  const replaced = await readChainRequest(database, request.replacesId);
  const { nonce, unsignedTransaction } = replaced ?? {};
  if (nonce === undefined || unsignedTransaction === undefined) {
    throw new Error(`${request.id} replaces ${request.replacesId}, which has no transaction`);
  }
  return { kind: "replacing", nonce, earlier: unsignedTransaction };
};

const actOf = (authorised: AuthorisedAct): Act =>
  authorised.kind === "transfer"
    ? { kind: "transfer", transfer: authorised.transfer }
    : { kind: "transaction", transaction: authorised.transaction };

const intentOf = (
  { wallet }: RequestWork,
  { requestBody }: ChainRequest,
  authorised: AuthorisedAct,
  place: Place,
): TransactionIntent => ({
  sender: wallet.address,
  act: actOf(authorised),
  priority: "priority" in requestBody ? requestBody.priority : undefined,
  place,
});

/**
 * A request that had to wait after it was built gets the fees of now, under the nonce that it has: hours may have
 * passed, and old fees might never be taken. Should the chain count past that nonce, the old bytes stay: signed and
 * broadcast, they bring the proof that they cannot land.
 */
export const renew: Step = async (work, request) => {
  const place = await placeOf(work, request);
  const built = await work.chain.build(intentOf(work, request, authorisedOf(request), place));
  if (!built.ok) return notBuilt(work, request, built.problem.code, built.problem.message);
  const { nonce, unsigned, details } = built.value;
  return work.database.transaction(async (connection): Promise<Next> => {
    const current = await lockChainRequest(connection, request.id);
    if (current?.status !== "Executing" || current.signedTransaction !== undefined) return GO_ON;
    const event = { kind: "Built", nonce, unsignedTransaction: unsigned, details } as const;
    const renewed =
      nonce === current.nonce ? await changeChainRequest(connection, current, event) : undefined;
    const after = renewed?.ok ? renewed.value : current;
    await changeChainRequest(connection, after, { kind: "Waiting", reason: undefined });
    return GO_ON;
  });
};

const behind = async ({ database, quorum }: RequestWork, request: ChainRequest): Promise<Next> => {
  await noteReason(database, request, quorum.shortage() ?? "waiting for an earlier request of the wallet");
  return again(WALLET_BUSY_MS);
};

const notBuilt = async (
  { database }: RequestWork,
  request: ChainRequest,
  code: string,
  reason: string,
): Promise<Next> => {
  if (code === "ServiceUnavailable") {
    await noteReason(database, request, reason);
    return again(CHAIN_AWAY_MS);
  }
  await failUnsigned(database, request.id, reason);
  return GO_ON;
};
