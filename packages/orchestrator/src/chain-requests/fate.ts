import type { Fate } from "@conclave/chains";
import { CLOCK_SKEW_MS_MAX, DEADLINE_MARGIN_MS } from "@conclave/cluster";
import {
  type ChainRequest,
  type ChainRequestEvent,
  DEAD_TRANSACTIONS_MAX,
  fail,
  isChainWallet,
  isoNow,
  isRefusedForGood,
  ok,
  type Result,
  type World,
} from "@conclave/custody";
import {
  askForDeathStatement,
  commitRequests,
  type Database,
  type DueRequest,
  dueChainRequest,
  type Logger,
  listSignedWithSequence,
  readDeathStatement,
  readVersionedRequest,
  readWallet,
  readWalletLine,
  type VersionedRequest,
  type WalletLine,
} from "@conclave/platform";
import { commitAnew } from "../commit-anew.ts";
import {
  landedVersionAway,
  landedVersionUnfit,
  otherSignatureLanded,
  otherVersionLanded,
} from "../log/log-events.ts";
import { notWanted } from "./apply.ts";
import { authorisedOf } from "./authorised.ts";
import { countGathering, type GatheringCount } from "./count-gatherings.ts";
import { landedVersionOf } from "./landed-version.ts";
import type { ServedChain } from "./served-chain.ts";

/** Time after a deadline from which every signer accepts that it has passed, even with a clock behind ours. */
const BELIEVED_AFTER_MS = DEADLINE_MARGIN_MS + CLOCK_SKEW_MS_MAX;

/** Whether the signed transaction of a request can still land. @returns ServiceUnavailable when there is no verdict */
export const fateOfRequest = async (
  { node }: ServedChain,
  sender: string,
  { unsignedTransaction: unsigned, signedTransaction: signed }: ChainRequest,
): Promise<Result<Fate>> =>
  unsigned === undefined || signed === undefined
    ? ok({ kind: "open" })
    : node.fateOf(sender, [{ unsigned, signed }]);

/** The same for a request whose wallet is not at hand. @returns ServiceUnavailable when there is no verdict */
export const fateNow = async ({ database, chain }: Burial, request: ChainRequest): Promise<Result<Fate>> => {
  const wallet = await readWallet(database, request.walletId);
  // never happens: a transaction is signed only for a wallet with an address
  if (wallet === undefined || !isChainWallet(wallet)) return fail("ServiceUnavailable");
  return fateOfRequest(chain, wallet.address, request);
};

/**
 * Takes over the signature and the hash with which the chain has the request's own bytes, if these differ from the
 * record: signers may sign the same bytes again, and a database may have lost the first signature.
 * @returns whether it did; ServiceUnavailable when the node does not show which transaction is in their place
 */
export const takeOverTwin = async (work: Burial, request: ChainRequest): Promise<Result<boolean>> => {
  const { database, chain, logger } = work;
  const { unsignedTransaction: unsigned, signedTransaction: signed } = request;
  const { twinOf } = chain.node;
  if (twinOf === undefined || unsigned === undefined || signed === undefined) return ok(false);
  const wallet = await readWallet(database, request.walletId);
  if (wallet === undefined || !isChainWallet(wallet)) return fail("ServiceUnavailable");
  const twin = await twinOf(wallet.address, { unsigned, signed });
  if (!twin.ok) return twin;
  if (twin.value === undefined) return ok(false);
  const { signed: signedTransaction, txHash } = twin.value;
  await changeUnmoved(database, request, { kind: "LandedAs", signedTransaction, txHash });
  otherSignatureLanded(logger, { requestId: request.id, txHash, before: request.txHash });
  return ok(true);
};

/**
 * Takes over the transaction in the place of a dead one if it is the request's own payment, with another signature or
 * in another version.
 * @returns whether it did; ServiceUnavailable when the node does not show which transaction is in the place
 */
const takeOverLanded = async (work: Burial, request: ChainRequest): Promise<Result<boolean>> => {
  const { database, chain, logger } = work;
  const twin = await takeOverTwin(work, request);
  if (!twin.ok || twin.value) return twin;
  const wallet = await readWallet(database, request.walletId);
  if (wallet === undefined || !isChainWallet(wallet)) return fail("ServiceUnavailable");
  // if two requests take the same transaction over at once, both change their wallet's line, and one of them finds it
  // changed
  const { row: line } = await readWalletLine(database, request.walletId, request.id);
  const version = await landedVersionOf({ database, chain, wallet }, request);
  if (!version.ok) {
    const { problem } = version;
    const notTaken = problem.code === "ServiceUnavailable" ? landedVersionAway : landedVersionUnfit;
    notTaken(logger, { requestId: request.id, problem });
    return version;
  }
  if (version.value === undefined) return ok(false);
  if (!(await changeUnmoved(database, request, version.value, { expect: [line] }))) return ok(true);
  otherVersionLanded(logger, {
    requestId: request.id,
    txHash: version.value.txHash,
    before: request.txHash,
  });
  return ok(true);
};

/** The result for a request whose signed transaction is dead. */
export type Aftermath =
  /** the request has ended */
  | "failed"
  /** another transaction may be built: the request is due again */
  | "reborn"
  /** by now the request has another transaction than the one that the chain was asked about */
  | "moved-on"
  /**
   * undecided: the gateway has not checked the chain, signers would not accept the verdict yet, or no node shows which
   * transaction took the place
   */
  | "later";

/** The dependencies of a burial. */
export interface Burial extends GatheringCount {
  readonly database: Database;
  readonly chain: ServedChain;
  readonly logger: Logger;
  readonly world: World;
}

/**
 * Gives up a signed transaction that is dead according to this orchestrator's node (INV-4). If the family does not build
 * again, the request has failed. Otherwise the authority must sign that the transaction is dead, as signers accept no
 * other proof; then the request is built again. That happens only once signers would accept it: a request fails if they
 * refuse, and on most chains a block is final long before the signers' margin has passed.
 * @param request as it was when the chain was asked: if a second delivery changed it meanwhile, it is left alone
 */
export const buryRequest = async (
  work: Burial,
  request: ChainRequest,
  reason: string,
): Promise<Aftermath> => {
  const { database, chain, logger, world } = work;
  const current = await readVersionedRequest(database, request.id);
  if (current === undefined || !isAsItWas(current.request, request)) return "moved-on";
  if (!isAtItsEnd(chain, request)) return rebuild({ database, chain, logger, world }, request);
  const winner = await winnerOf(database, chain, request);
  const landed = winner === undefined ? await takeOverLanded(work, request) : ok(false);
  if (!landed.ok) return "later";
  if (landed.value) return "moved-on";
  const refusal = isRefusedForGood(request) ? request.reason : undefined;
  const why = winner === undefined ? (refusal ?? reason) : supersededBy(winner);
  const failed = { kind: "Failed", date: isoNow(world), reason: why } as const;
  if (!(await changeUnmoved(database, request, failed))) return "moved-on";
  countGathering(work, request, "ended");
  return "failed";
};

/**
 * Applies an event to a request, if it is still the one that the chain was asked about; of two orchestrators that look,
 * one records the event.
 * @param beside the requests that become due with it, and the rows on which the decision depends: if those have
 * changed, nothing is written
 * @returns whether this call applied it
 */
export const changeUnmoved = async (
  database: Database,
  request: ChainRequest,
  event: ChainRequestEvent,
  beside: { readonly due?: readonly DueRequest[]; readonly expect?: readonly WalletLine["row"][] } = {},
): Promise<boolean> => {
  const done = await commitAnew<VersionedRequest, unknown>(undefined, {
    read: () => readVersionedRequest(database, request.id),
    commit: async (seen) => {
      const refused = { kind: "refused", problem: notWanted(seen.request) } as const;
      if (!isAsItWas(seen.request, request)) return refused;
      const outcome = await commitRequests(database, [{ seen, events: [event] }], beside);
      return outcome.kind === "conflict" && beside.expect !== undefined ? refused : outcome;
    },
  });
  return done.ok;
};

/**
 * Whether a request has failed once its transaction is dead, as it is not built again. If the node's rules refused its
 * bytes, they would refuse similar ones.
 */
export const isAtItsEnd = ({ family }: ServedChain, request: ChainRequest): boolean =>
  !family.rebuilds ||
  request.deadTransactions >= DEAD_TRANSACTIONS_MAX ||
  request.replacementId !== undefined ||
  isRefusedForGood(request);

/** The reason of a request that failed because another one has landed in its place. */
export const supersededBy = ({ id }: ChainRequest): string =>
  `${id} has landed in its place; this one can never land`;

/** Whether a request is unchanged since the chain was asked about it. */
export const isAsItWas = (current: ChainRequest, request: ChainRequest): boolean =>
  current.status === request.status &&
  current.txHash === request.txHash &&
  current.blockHash === request.blockHash &&
  current.replacementId === request.replacementId;

const rebuild = async ({ database, chain, world }: Burial, request: ChainRequest): Promise<Aftermath> => {
  if (!isBelieved(world, chain, request)) return "later";
  const signed = request.deadTransactions + 1;
  const said = await readDeathStatement(database, request.id, signed);
  if (said === undefined) await askForDeathStatement(database, request.id, signed);
  if (said?.statement === undefined) return "later";
  // the request keeps its place, so it is due at once
  const due = [dueChainRequest(request, undefined)];
  return (await changeUnmoved(database, request, { kind: "Died" }, { due })) ? "reborn" : "moved-on";
};

/** Whether signers, too, would accept that the deadline of a signed transaction has passed, where it has one. */
const isBelieved = (world: World, { family, node }: ServedChain, request: ChainRequest): boolean => {
  if (request.unsignedTransaction === undefined) return true;
  const read = family.read(node.network, request.unsignedTransaction, authorisedOf(request));
  const deadlineMs = read.ok ? read.value.deadlineMs : undefined;
  return deadlineMs === undefined || world.nowMs() > deadlineMs + BELIEVED_AFTER_MS;
};

/** The request of ours that the chain has in the same place. */
const winnerOf = async (
  database: Database,
  { node }: ServedChain,
  request: ChainRequest,
): Promise<ChainRequest | undefined> => {
  if (request.sequence === undefined) return undefined;
  for (const other of await listSignedWithSequence(database, request.walletId, request.sequence)) {
    if (other.id === request.id || other.txHash === undefined) continue;
    const sighting = await node.sight(other.txHash);
    if (sighting.ok && sighting.value.kind === "included") return other;
  }
  return undefined;
};
