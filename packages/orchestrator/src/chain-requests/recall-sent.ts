import type { BuiltTransaction, PlacesToSearch, SentTransaction } from "@conclave/chains";
import { type ChainRequest, type ChainRequestEvent, ok, type Result } from "@conclave/custody";
import {
  countSentPlaces,
  isOthersTransaction,
  isRuledOut,
  listEarlierUnbuilt,
  listSentPlaces,
  noteUnsure,
  readWalletLine,
  type VersionedRequest,
} from "@conclave/platform";
import { authorisedOf } from "./authorised.ts";
import { commitBuilt } from "./commit-built.ts";
import { areKept, authorisedMsOf, SKEW_MS } from "./kept-records.ts";
import { adoptedAs, isRead } from "./own-payment.ts";
import type { Next, RequestWork } from "./step.ts";

/**
 * A request that was authorised longer ago may be of a restored database. Before, where a family counts no transactions, nothing would be
 * found but what this process sends.
 */
const LATE_MS = 30_000;
/** So much later a client may ask again for what it has asked for already, and what a restored database does not know. */
const ASKED_AGAIN_MS = 24 * 60 * 60_000;

type Adopted = Extract<ChainRequestEvent, { readonly kind: "Adopted" }>;
type Signed = Extract<ChainRequestEvent, { readonly kind: "Signed" }>;

/** The chain's word on a request that neither the database nor the signers remember. */
export type RecalledFromChain =
  /** nothing that is it: it may be built, and it may fail (INV-4) */
  | { readonly kind: "nothing" }
  /** this transaction carries it out already */
  | { readonly kind: "sent"; readonly events: readonly [Adopted, Signed] }
  /** the node does not show what would tell */
  | { readonly kind: "unsure"; readonly reason: string };

const NOTHING: RecalledFromChain = { kind: "nothing" };

type Recalling = Pick<RequestWork, "database" | "chain" | "wallet" | "world" | "records">;

/**
 * Looks for a request among what its wallet has sent since it was authorised and no record explains. Where all stores and the database were
 * put back to one moment, the chain alone remembers. A transaction is the request's when the family reads it as what is authorised, as signers
 * do, and no other request has it on record.
 *
 * In normal life the chain is not asked: our records explain each place up to the one that was built, the request is young, or nobody has
 * put the records back since it was authorised. Nor is it asked where an operator has ruled out that the request was carried out.
 * @param built what was built for it; undefined where nothing could be
 */
export const recallSent = async (
  work: Recalling,
  request: ChainRequest,
  built: Pick<BuiltTransaction, "sequence"> | undefined,
): Promise<RecalledFromChain> => {
  const authorisedMs = authorisedMsOf(request);
  const isLate = Math.abs(work.world.nowMs() - authorisedMs) >= LATE_MS;
  if (!work.chain.family.countsTransactions && !isLate) return NOTHING;
  const search = await searchOf(work, request, built, authorisedMs - SKEW_MS);
  if (search.kind !== "search") return search;
  if (await areKept(work, request)) return NOTHING;
  if (await isRuledOut(work.database, request.id)) return NOTHING;
  return noting(work, request, await carryOut(work, request, search));
};

/**
 * Looks for a request of which signers may have signed several versions. Each excludes the others, and one of them may have landed, or wait in
 * a pool. A client may have asked for it again since. Families that count no transactions are not searched.
 */
export const recallLanded = async (work: Recalling, request: ChainRequest): Promise<RecalledFromChain> => {
  if (!work.chain.family.countsTransactions) return NOTHING;
  const { sequence: own } = request;
  const search = await searchOf(work, request, undefined, authorisedMsOf(request) - ASKED_AGAIN_MS);
  if (search.kind !== "search") return search;
  // in the place that the request has, another version of it may wait in a pool
  const inPlace: PlacesToSearch | undefined =
    own === undefined
      ? search.places
      : { lowest: own, highest: undefined, isExplained: (place) => place !== own };
  const found = await carryOut(work, request, { ...search, places: inPlace });
  // a transaction that was found counts also where an operator has ruled out that there is one
  if (found.kind === "unsure" && (await isRuledOut(work.database, request.id))) return NOTHING;
  return noting(work, request, found);
};

/** The part of the chain that is searched. */
interface Search {
  readonly kind: "search";
  readonly findSent: NonNullable<RequestWork["chain"]["node"]["findSent"]>;
  readonly sinceMs: number;
  readonly places: PlacesToSearch | undefined;
}

/** @returns "nothing" where the wallet has no place that may hold it */
const searchOf = async (
  work: Recalling,
  request: ChainRequest,
  built: Pick<BuiltTransaction, "sequence"> | undefined,
  sinceMs: number,
): Promise<Search | RecalledFromChain> => {
  const { findSent } = work.chain.node;
  if (findSent === undefined) return NOTHING;
  if (!work.chain.family.countsTransactions) return { kind: "search", findSent, sinceMs, places: undefined };
  const places = await placesToSearch(work, request, built, new Date(sinceMs).toISOString());
  if (!places.ok) return { kind: "unsure", reason: places.problem.message };
  if (places.value === undefined) return NOTHING;
  return { kind: "search", findSent, sinceMs, places: places.value };
};

/** Shows a request that waits to operators: it waits until the chain tells, or one of them rules out that it was carried out. */
const noting = async (
  { database }: Recalling,
  { id }: ChainRequest,
  found: RecalledFromChain,
): Promise<RecalledFromChain> => {
  if (found.kind === "unsure") await noteUnsure(database, id, found.reason);
  return found;
};

const carryOut = async (
  work: Recalling,
  request: ChainRequest,
  { findSent, sinceMs, places }: Search,
): Promise<RecalledFromChain> => {
  const isIt = itsOwnAmong(work, request);
  const found = await findSent(work.wallet.address, { act: authorisedOf(request), sinceMs, places, isIt });
  if (!found.ok) return { kind: "unsure", reason: found.problem.message };
  return found.value === undefined ? NOTHING : adoptable(work, request, found.value);
};

/** The account's places that may hold it; undefined where our records explain all of them. */
const placesToSearch = async (
  { database, chain: { family, node }, wallet }: Recalling,
  request: ChainRequest,
  built: Pick<BuiltTransaction, "sequence"> | undefined,
  since: string,
): Promise<Result<PlacesToSearch | undefined>> => {
  const { walletId, sequence: own } = request;
  if (own !== undefined) return ok({ lowest: own, highest: own, isExplained: () => false });
  const next = built === undefined ? await node.nextSequence(wallet.address) : ok(built.sequence);
  if (!next.ok) return next;
  if (next.value === undefined) return ok(undefined);
  const { floor, explained } = await countSentPlaces(database, walletId, since, family.rebuilds);
  const lowest = (floor ?? -1n) + 1n;
  if (next.value - lowest <= explained) return ok(undefined);
  const known = await listSentPlaces(database, walletId, floor, family.rebuilds);
  return ok({ lowest, highest: undefined, isExplained: (place) => known.has(place) });
};

/**
 * Whether a transaction is what is authorised, and no other request's. Requests may pay the same: each of those that were authorised earlier
 * and have nothing on record takes one transaction of one search, and the next one is this request's. So none is paid again, whichever
 * looks first.
 */
const itsOwnAmong = (
  work: Recalling,
  request: ChainRequest,
): ((sent: SentTransaction) => Promise<boolean>) => {
  const served = new Set<string>();
  return async (sent) => {
    if (!isRead(work, request, sent.unsigned)) return false;
    if (await isOthersTransaction(work.database, request.walletId, request.id, sent)) return false;
    const earlier = await listEarlierUnbuilt(work.database, request);
    const taking = earlier.find((each) => !served.has(each.id) && isRead(work, each, sent.unsigned));
    if (taking !== undefined) served.add(taking.id);
    return taking === undefined;
  };
};

const adoptable = (
  work: Recalling,
  request: ChainRequest,
  { unsigned, signed: signedTransaction, txHash }: SentTransaction,
): RecalledFromChain => {
  const adopted = adoptedAs(work, request, unsigned);
  if (!adopted.ok) {
    const why = adopted.problem.message;
    return { kind: "unsure", reason: `the chain has ${txHash} for it, which is not taken over: ${why}` };
  }
  const signed = { kind: "Signed", unsignedTransaction: unsigned, signedTransaction, txHash } as const;
  return { kind: "sent", events: [adopted.value, signed] };
};

/** Takes over what the chain has for a request, unless another one was faster: then it is looked at anew. */
export const adoptSent = async (
  work: RequestWork,
  seen: VersionedRequest,
  events: readonly [Adopted, Signed],
): Promise<Next> => {
  const { database, logger } = work;
  const { id, walletId } = seen.request;
  const [, { unsignedTransaction: unsigned, txHash }] = events;
  const line = await readWalletLine(database, walletId, id);
  logger.warn(
    { requestId: id, txHash },
    "the chain has a transaction that neither the database nor signers know",
  );
  return commitBuilt(work, seen, line, async () =>
    (await isOthersTransaction(database, walletId, id, { unsigned, txHash })) ? undefined : events,
  );
};
