import type { BuiltTransaction, PlacesToSearch, SentTransaction } from "@conclave/chains";
import { type ChainRequest, type ChainRequestEvent, ok, type Result } from "@conclave/custody";
import {
  countSentPlaces,
  isOthersTransaction,
  isRuledOut,
  listEarlierUnbuilt,
  listOthersUnsigned,
  listSentPlaces,
  noteUnsure,
  readWalletLine,
  type VersionedRequest,
} from "@conclave/platform";
import { unknownTransactionAdopted } from "../log/log-events.ts";
import { authorisedOf } from "./authorised.ts";
import { commitBuilt } from "./commit-built.ts";
import { areKept, authorisedMsOf, SKEW_MS } from "./kept-records.ts";
import { adoptedAs, isRead } from "./own-payment.ts";
import { type Version, versionsNamedFor } from "./recall-signed.ts";
import type { Next, RequestWork } from "./step.ts";

/**
 * Age from which an authorised request may come from a restored database. For younger ones, in families that do not
 * count transactions, a search would only find what this process just sent.
 */
const LATE_MS = 30_000;
/** How much later a client may repeat a request that a restored database does not know. */
const ASKED_AGAIN_MS = 24 * 60 * 60_000;

type Adopted = Extract<ChainRequestEvent, { readonly kind: "Adopted" }>;
type Signed = Extract<ChainRequestEvent, { readonly kind: "Signed" }>;

/** The chain's answer about a request that neither the database nor the signers remember. */
export type RecalledFromChain =
  /** the chain has no transaction of the request: it may be built, and it may fail (INV-4) */
  | { readonly kind: "nothing" }
  /** this transaction carries it out already */
  | { readonly kind: "sent"; readonly events: readonly [Adopted, Signed] }
  /** the node does not show enough to decide */
  | { readonly kind: "unsure"; readonly reason: string };

const NOTHING: RecalledFromChain = { kind: "nothing" };

const WHOSE = "waiting for signers to say for which of the wallet's requests they have signed a transaction";

type Recalling = Pick<RequestWork, "database" | "chain" | "wallet" | "world" | "records" | "quorum">;

/**
 * Looks for a request among the transactions that its wallet has sent since the authorisation and that no record
 * explains. If all stores and the database were restored to one moment, only the chain remembers. A transaction is the
 * request's when the family reads it as what is authorised, as signers do, and no other request has recorded it.
 *
 * Normally the chain is not asked: our records explain each place up to the built one, the request is young, or the
 * records were not restored since it was authorised. Nor is it asked where an operator has ruled out that the request
 * was carried out.
 * @param built the transaction that was built for it; undefined where none could be built
 */
export const recallSent = async (
  work: Recalling,
  request: ChainRequest,
  built: Pick<BuiltTransaction, "sequence"> | undefined,
): Promise<RecalledFromChain> => {
  const authorisedMs = authorisedMsOf(request);
  if (!work.chain.family.countsTransactions && !isLate(work, request)) return NOTHING;
  const search = await searchOf(work, request, built, authorisedMs - SKEW_MS);
  if (search.kind !== "search") return search;
  if (await areKept(work, request)) return NOTHING;
  if (await isRuledOut(work.database, request.id)) return NOTHING;
  return noting(work, request, await carryOut(work, request, search, []));
};

const isLate = ({ world }: Pick<RequestWork, "world">, request: ChainRequest): boolean =>
  Math.abs(world.nowMs() - authorisedMsOf(request)) >= LATE_MS;

/**
 * Looks for a request of which signers may have signed several versions: one of them may have landed or wait in a pool,
 * and a client may have repeated the request since. A version that signers name comes before other transactions that
 * pay the same.
 * @param named the versions that signers name for it
 */
export const recallLanded = async (
  work: Recalling,
  request: ChainRequest,
  named: readonly Version[],
): Promise<RecalledFromChain> => {
  const { countsTransactions } = work.chain.family;
  // a young request has no other version than this one
  if (!countsTransactions && named.length < 2 && !isLate(work, request)) return NOTHING;
  const search = countsTransactions
    ? await searchPlaces(work, request, named)
    : await searchOf(work, request, undefined, await sinceVersions(work, request, named));
  if (search.kind !== "search") return search;
  const found = await carryOut(work, request, search, named);
  // a transaction that was found counts even if an operator has ruled out that there is one
  if (found.kind === "unsure" && (await isRuledOut(work.database, request.id))) return NOTHING;
  return noting(work, request, found);
};

/**
 * The places to search: the request's own place and those of the versions that signers name; without any, all places
 * that our records do not explain.
 */
const searchPlaces = async (
  work: Recalling,
  request: ChainRequest,
  named: readonly Version[],
): Promise<Search | RecalledFromChain> => {
  const { findSent } = work.chain.node;
  if (findSent === undefined) return NOTHING;
  const sinceMs = authorisedMsOf(request) - ASKED_AGAIN_MS;
  const unexplained =
    request.sequence === undefined ? await searchOf(work, request, undefined, sinceMs) : NOTHING;
  if (unexplained.kind === "unsure") return unexplained;
  const among = unexplained.kind === "search" ? unexplained.places : undefined;
  const own = [request.sequence, ...named.map(({ adopted }) => adopted?.sequence)];
  const known = new Set(own.filter((place) => place !== undefined));
  const all = [...known, ...(among === undefined ? [] : [among.lowest])];
  const [lowest] = all.toSorted((a, b) => Number(a - b));
  if (lowest === undefined) return NOTHING;
  const places: PlacesToSearch = {
    lowest,
    // in each of these places another version of the request may wait in a pool
    highest: undefined,
    isExplained: (place) =>
      !known.has(place) && (among === undefined || place < among.lowest || among.isExplained(place)),
  };
  return { kind: "search", findSent, sinceMs, places };
};

/**
 * Unix milliseconds: a time before any version of a request landed, where nodes show that by the bytes alone, and
 * before its authorisation.
 */
const sinceVersions = async (
  { chain: { family, node } }: Recalling,
  request: ChainRequest,
  named: readonly Version[],
): Promise<number> => {
  let sinceMs = authorisedMsOf(request);
  for (const { unsigned } of named) {
    const id = family.idOf?.(unsigned);
    const sighting = id === undefined ? undefined : await node.sight(id);
    if (!sighting?.ok || sighting.value.kind !== "included") continue;
    const landedMs = Date.parse(sighting.value.date ?? "");
    if (landedMs < sinceMs) sinceMs = landedMs;
  }
  return sinceMs - SKEW_MS;
};

/** The part of the chain to search. */
interface Search {
  readonly kind: "search";
  readonly findSent: NonNullable<RequestWork["chain"]["node"]["findSent"]>;
  readonly sinceMs: number;
  readonly places: PlacesToSearch | undefined;
}

/** @returns "nothing" where no place of the wallet may hold it */
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

/**
 * Shows operators that a request waits, until the chain shows its transaction or an operator rules out that it was
 * carried out.
 */
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
  named: readonly Version[],
): Promise<RecalledFromChain> => {
  const claimOn = claimAmong(work, request, named);
  let [best, likely]: [number, SentTransaction | undefined] = [-1, undefined];
  let reason: string | undefined;
  const isIt = async (sent: SentTransaction): Promise<boolean> => {
    const claim = await claimOn(sent);
    if (claim === "unsure") reason = work.quorum.shortage() ?? WHOSE;
    if (claim === "none" || claim === "unsure") return false;
    if (claim > best) [best, likely] = [claim, sent];
    // otherwise a version that signers name may come after this one
    return claim === SURELY_NAMED || named.length === 0;
  };
  const found = await findSent(work.wallet.address, { act: authorisedOf(request), sinceMs, places, isIt });
  if (likely !== undefined) return adoptable(work, request, likely);
  if (!found.ok) return { kind: "unsure", reason: found.problem.message };
  return reason === undefined ? NOTHING : { kind: "unsure", reason };
};

/** The account's places that may hold the request; undefined where our records explain all of them. */
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

const SURELY_NAMED = 4;
const NAMED = 3;
const IN_PLACE_OF_SURE = 2;
const IN_PLACE = 1;
const UNCLAIMED = 0;

/**
 * The strength of the evidence that a transaction is a request's; "none" where it is not, "unsure" while too few
 * signers answer whose it is.
 */
type Claim = number | "none" | "unsure";

/**
 * How strongly a transaction on chain belongs to this request, as several requests may authorise the same payment. A
 * transaction belongs to the request for which signers name it, or name another one in its place; the claim is stronger
 * if more signers name it than may lie. Each request that was authorised earlier, and has no transaction in the records
 * or at signers, takes one of the unclaimed transactions; this request takes the next. So no request is paid twice,
 * whichever searches first.
 */
const claimAmong = (
  work: Recalling,
  request: ChainRequest,
  named: readonly Version[],
): ((sent: SentTransaction) => Promise<Claim>) => {
  const { database } = work;
  const served = new Set<string>();
  const words = new Map<string, Awaited<ReturnType<typeof versionsNamedFor>>>();
  const wordOn = async (other: ChainRequest) => {
    const word = words.get(other.id) ?? (await versionsNamedFor(work, other));
    words.set(other.id, word);
    return word;
  };
  return async (sent) => {
    if (!isRead(work, request, sent.unsigned)) return "none";
    if (await isOthersTransaction(database, request.walletId, request.id, sent)) return "none";
    const own = strongest(work, request, named, sent);
    if (own === SURELY_NAMED) return own;
    const unsigned = await listOthersUnsigned(database, request);
    const equal = unsigned.filter((each) => isRead(work, each, sent.unsigned));
    let [others, isUnsure] = [UNCLAIMED, false];
    for (const other of equal) {
      const word = await wordOn(other);
      if (word.kind === "unsure") isUnsure = true;
      if (word.kind !== "bytes") continue;
      others = Math.max(others, strongest(work, request, word.versions, sent));
    }
    if (others > own) return "none";
    if (own > UNCLAIMED) return own;
    if (isUnsure) return "unsure";
    const earlier = await listEarlierUnbuilt(database, request);
    const taking = earlier.find((each) => words.get(each.id)?.kind === "nothing" && !served.has(each.id));
    if (taking !== undefined) served.add(taking.id);
    return taking === undefined ? UNCLAIMED : "none";
  };
};

/** The strength of the evidence, from the versions that signers name for a request, that a transaction is its own. */
const strongest = (
  work: Recalling,
  request: ChainRequest,
  named: readonly Version[],
  { unsigned }: SentTransaction,
): number => {
  const adopted = adoptedAs(work, request, unsigned);
  const isBeside = (version: Version): boolean =>
    adopted.ok &&
    version.adopted !== undefined &&
    work.chain.family.excludes(version.adopted.exclusion, adopted.value.exclusion);
  const claims = named.map((version) => {
    if (Buffer.compare(version.unsigned, unsigned) === 0) return version.isSure ? SURELY_NAMED : NAMED;
    if (!isBeside(version)) return UNCLAIMED;
    return version.isSure ? IN_PLACE_OF_SURE : IN_PLACE;
  });
  return Math.max(UNCLAIMED, ...claims);
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

/** Takes over the chain's transaction for a request, unless another process was faster: then the request is looked at again. */
export const adoptSent = async (
  work: RequestWork,
  seen: VersionedRequest,
  events: readonly [Adopted, Signed],
): Promise<Next> => {
  const { database, logger } = work;
  const { id, walletId } = seen.request;
  const [, { unsignedTransaction: unsigned, txHash }] = events;
  const line = await readWalletLine(database, walletId, id);
  unknownTransactionAdopted(logger, { requestId: id, txHash });
  return commitBuilt(work, seen, line, async () =>
    (await isOthersTransaction(database, walletId, id, { unsigned, txHash })) ? undefined : events,
  );
};
