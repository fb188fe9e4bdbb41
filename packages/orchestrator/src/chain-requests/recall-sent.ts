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
import type { Next, RequestWork } from "./step.ts";

/** By so much may the clocks of a chain, a gateway and an orchestrator differ. */
const SKEW_MS = 120_000;
/**
 * A request that was authorised longer ago may be of a restored database. Before, where a family counts no transactions, nothing would be
 * found but what this process sends.
 */
const LATE_MS = 30_000;

type Adopted = Extract<ChainRequestEvent, { readonly kind: "Adopted" }>;
type Signed = Extract<ChainRequestEvent, { readonly kind: "Signed" }>;

/** What the chain shows of a request that neither the database nor the signers remember. */
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
  const { node, family } = work.chain;
  const { findSent } = node;
  if (findSent === undefined) return NOTHING;
  const authorisedMs = Date.parse(request.datePolicyResolved ?? request.dateRequested);
  const isLate = Math.abs(work.world.nowMs() - authorisedMs) >= LATE_MS;
  if (!family.countsTransactions && !isLate) return NOTHING;
  const sinceMs = authorisedMs - SKEW_MS;
  const places = family.countsTransactions
    ? await placesToSearch(work, request, built, new Date(sinceMs).toISOString())
    : ok(undefined);
  if (!places.ok) return { kind: "unsure", reason: places.problem.message };
  if (family.countsTransactions && places.value === undefined) return NOTHING;
  if (await areKept(work, authorisedMs)) return NOTHING;
  if (await isRuledOut(work.database, request.id)) return NOTHING;
  const found = await findSent(work.wallet.address, {
    act: authorisedOf(request),
    sinceMs,
    places: places.value,
    isIt: itsOwnAmong(work, request),
  });
  if (!found.ok) return unsureOf(work, request, found.problem.message);
  return found.value === undefined ? NOTHING : adoptable(work, request, found.value);
};

/** Whether nobody can have put the records back since a request was authorised: then they know what became of it. */
const areKept = async ({ records }: Recalling, authorisedMs: number): Promise<boolean> =>
  records !== undefined && authorisedMs - SKEW_MS > (await records.since());

/** It waits until the chain tells, or an operator rules out that it was carried out. */
const unsureOf = async (
  { database }: Recalling,
  { id }: ChainRequest,
  reason: string,
): Promise<RecalledFromChain> => {
  await noteUnsure(database, id, reason);
  return { kind: "unsure", reason };
};

/** What of the account's places may hold it; undefined where our records explain all of them. */
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

const reads = ({ chain: { family, node } }: Recalling, request: ChainRequest, unsigned: Uint8Array) =>
  family.read(node.network, unsigned, authorisedOf(request));

/** Whether a transaction is what is authorised. A cap that was lowered meanwhile makes no other payment of it. */
const isRead = (work: Recalling, request: ChainRequest, unsigned: Uint8Array): boolean => {
  const read = reads(work, request, unsigned);
  return read.ok || read.problem.code === "FeeAboveCap";
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

const adoptable = async (
  work: Recalling,
  request: ChainRequest,
  { unsigned, signed: signedTransaction, txHash }: SentTransaction,
): Promise<RecalledFromChain> => {
  const read = reads(work, request, unsigned);
  const described = work.chain.family.describe(unsigned, work.wallet.address);
  if (!read.ok || !described.ok) {
    const why = read.ok ? "it cannot be shown" : read.problem.message;
    return unsureOf(work, request, `the chain has ${txHash} for it, which is not taken over: ${why}`);
  }
  const unsignedTransaction = unsigned;
  const { exclusion } = read.value;
  return {
    kind: "sent",
    events: [
      { kind: "Adopted", ...described.value, exclusion, unsignedTransaction },
      { kind: "Signed", unsignedTransaction, signedTransaction, txHash },
    ],
  };
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
