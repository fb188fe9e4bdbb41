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

/** From a deadline until every signer believes that it has passed, by a clock that may be behind ours. */
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

/** The same for a request of any wallet. @returns ServiceUnavailable when there is no verdict */
export const fateNow = async ({ database, chain }: Burial, request: ChainRequest): Promise<Result<Fate>> => {
  const wallet = await readWallet(database, request.walletId);
  // every signed transaction was signed for a wallet with an address
  if (wallet === undefined || !isChainWallet(wallet)) return fail("ServiceUnavailable");
  return fateOfRequest(chain, wallet.address, request);
};

/**
 * Takes over the signature and the hash under which the very bytes of a request are on the chain, where those on record are others: signers
 * sign the same bytes again, and a database may have lost the first signature.
 * @returns whether it did; ServiceUnavailable when the node does not show what is in its place
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
 * Takes over what has the place of a dead transaction where it is the request's own payment: with another signature, or another version.
 * @returns whether it did; ServiceUnavailable when the node does not show what is in its place
 */
const takeOverLanded = async (work: Burial, request: ChainRequest): Promise<Result<boolean>> => {
  const { database, chain, logger } = work;
  const twin = await takeOverTwin(work, request);
  if (!twin.ok || twin.value) return twin;
  const wallet = await readWallet(database, request.walletId);
  if (wallet === undefined || !isChainWallet(wallet)) return fail("ServiceUnavailable");
  // two requests that take the same over at once change the line of their wallet, and one of the two finds it changed
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

/** The further course of a request whose signed transaction is dead. */
export type Aftermath =
  /** the request has ended */
  | "failed"
  /** a further transaction may be built: the request is due again */
  | "reborn"
  /** the request has another transaction by now than the one that the chain was asked about */
  | "moved-on"
  /** undecided: the gateway has not checked the chain, signers would not accept the death yet, or no node shows what took its place */
  | "later";

/** The dependencies of a burial. */
export interface Burial extends GatheringCount {
  readonly database: Database;
  readonly chain: ServedChain;
  readonly logger: Logger;
  readonly world: World;
}

/**
 * Buries a signed transaction that is dead as far as this orchestrator's node tells (INV-4). Where the family does not build
 * again, the request has failed. Else the authority is asked for its word, for signers believe nobody else; with it, the
 * request goes back to be built. Not before signers believe it: what they refuse has failed, and on most chains a block is
 * final long before their margin is over.
 * @param request as it was when the chain was asked: what a second delivery moved on meanwhile is left alone
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
 * Moves a request on, as long as it is what the chain was asked about: of two orchestrators that look, one records it.
 * @param beside the requests that become due with it, and the rows that it was decided on: where those have changed, nothing is written
 * @returns whether this call moved it on
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
 * Whether a request has failed once its transaction is dead: it is not built again. The like of bytes that the node's rules refuse
 * would be refused again.
 */
export const isAtItsEnd = ({ family }: ServedChain, request: ChainRequest): boolean =>
  !family.rebuilds ||
  request.deadTransactions >= DEAD_TRANSACTIONS_MAX ||
  request.replacementId !== undefined ||
  isRefusedForGood(request);

/** Why a request has failed whose place another one has taken. */
export const supersededBy = ({ id }: ChainRequest): string =>
  `${id} has landed in its place; this one can never land`;

/** Whether a request is still the one that the chain was asked about. */
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
  // it has its place already, and waits for nobody
  const due = [dueChainRequest(request, undefined)];
  return (await changeUnmoved(database, request, { kind: "Died" }, { due })) ? "reborn" : "moved-on";
};

/** Whether the deadline of a signed transaction is over for signers as well, where it holds one. */
const isBelieved = (world: World, { family, node }: ServedChain, request: ChainRequest): boolean => {
  if (request.unsignedTransaction === undefined) return true;
  const read = family.read(node.network, request.unsignedTransaction, authorisedOf(request));
  const deadlineMs = read.ok ? read.value.deadlineMs : undefined;
  return deadlineMs === undefined || world.nowMs() > deadlineMs + BELIEVED_AFTER_MS;
};

/** Which of our own requests in the same place the chain holds. */
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
