import type { Sequencing } from "@conclave/chains";
import {
  type AuthorisedAct,
  type ChainRequest,
  type ChainRequestEvent,
  fail,
  isoNow,
  ok,
  type Problem,
  type Result,
} from "@conclave/custody";
import {
  type AliveTransaction,
  type Database,
  listAliveTransactions,
  listLandedTransactions,
  otherIsSameBytes,
  readChainRequest,
  readWalletLine,
  type VersionedRequest,
} from "@conclave/platform";
import { requestBegun } from "../log/log-events.ts";
import { apply, noteReason } from "./apply.ts";
import { authorisedOf } from "./authorised.ts";
import { namingGathering } from "./awaited-gathering.ts";
import { commitBuilt } from "./commit-built.ts";
import { countGathering } from "./count-gatherings.ts";
import { failUnlessSigned, goOnAs, goOnAsNext } from "./go-on-as.ts";
import { adoptSent, recallSent } from "./recall-sent.ts";
import { isNamed, type Recalled, recallSigned, whyUnsure } from "./recall-signed.ts";
import { signingKeysOf } from "./signing-keys.ts";
import { again, GO_ON, goOnFrom, type Next, type RequestStep, type RequestWork } from "./step.ts";

const CHAIN_AWAY_MS = 1_000;
/** Wait while another request of the wallet holds its place to be built again; it is usually broadcast sooner. */
const WALLET_BUSY_MS = 200;
/** Wait after another request of the wallet landed while this one was built, until the node shows it. */
const LANDED_MEANWHILE_MS = 200;

/** Pending → Executing. */
export const beginRequest: RequestStep = async (work, seen) => {
  const begun = await apply(work.database, seen, { kind: "Begun" });
  if (!begun.ok) return GO_ON;
  requestBegun(work.logger, { requestId: begun.value.request.id });
  countGathering(work, begun.value.request, "begun");
  return goOnFrom(begun.value);
};

/**
 * Builds an executing request's unsigned bytes, late (after any approval) and durably (before anything is
 * signed). Where the family counts an account's transactions, the family chooses the place in that count: it
 * gets the place that our own records leave free, and asks the chain. Nothing can be signed before the bytes
 * are stored, so an impossible request may fail here at no risk (INV-4).
 *
 * Only one request of a wallet at a time holds a place in which nothing is broadcast yet. So a request that
 * fails leaves no gap that blocks the account: the next request takes its place. In families whose
 * transactions spend coins, no two transactions that may still land spend the same coins. The place and the
 * coins are read after the version of the wallet's line, and committed at that version: where another process
 * was faster, the version has changed and nothing is committed.
 *
 * The orchestrator asks the signers at the same time. Where the database was put back to a moment before they
 * signed, it takes over their bytes. Where the signers were put back as well, it asks the chain for what the
 * wallet has sent since: `recallSent`.
 */
export const buildRequest: RequestStep = async (work, seen) => {
  const { request } = seen;
  const authorised = authorisedOf(request);
  if (authorised.kind === "transaction" && authorised.replaces !== undefined) {
    return buildReplacement(work, seen, authorised);
  }
  const { database } = work;
  const line = await readWalletLine(database, request.walletId, request.id);
  if (line.isHeld) return behind(work, seen);
  const lowest = line.highest === undefined ? 0n : line.highest + 1n;
  const [recalled, made] = await Promise.all([
    recallSigned(work, request),
    make(work, request, authorised, { kind: "next", lowest }),
  ]);
  if (isNamed(recalled)) return goOnAs(work, seen, recalled, async () => GO_ON);
  if (!made.ok) return notBuiltUnlessSent(work, seen, made.problem);
  const built = made.value;
  const sent = await recallSent(work, request, built);
  if (sent.kind === "sent") return adoptSent(work, seen, sent.events);
  if (sent.kind === "unsure") return notBuilt(work, seen, "ServiceUnavailable", sent.reason);
  let hasLanded = false;
  const next = await commitBuilt(work, seen, line, async (now) => {
    if (now.isHeld || now.highest !== line.highest) return undefined;
    if (await takesCoinsOfAnother(work, request, authorised, built)) return undefined;
    const isTaken = await otherIsSameBytes(database, request.walletId, request.id, built.unsignedTransaction);
    if (isTaken) return [taken(work)];
    const landed = await landedMeanwhile(work, request, built);
    // a caller's own bytes cannot be built again: if one of their coins is spent, `fate.ts` finds that out
    const isGiven = authorised.kind === "transaction";
    if (landed === "it" && isGiven) return [taken(work)];
    hasLanded = landed !== undefined && !isGiven;
    return hasLanded ? undefined : [built, ...unsure(work, recalled)];
  });
  // the node may not show yet what landed: wait before asking it again
  return hasLanded ? again(LANDED_MEANWHILE_MS) : next;
};

/**
 * Nothing could be built now. The request itself may be the reason: on Algorand its payment, once it has
 * landed, holds the lease for up to a thousand rounds, and the node refuses another with the same lease until
 * then. Families that count transactions hold no leases: the orchestrator does not ask their node a second
 * time while it is away.
 */
const notBuiltUnlessSent = async (
  work: RequestWork,
  seen: VersionedRequest,
  { code, message }: Problem,
): Promise<Next> => {
  const { rebuilds, countsTransactions } = work.chain.family;
  if (code === "ServiceUnavailable" && rebuilds && !countsTransactions) {
    const sent = await recallSent(work, seen.request, undefined);
    if (sent.kind === "sent") return adoptSent(work, seen, sent.events);
  }
  return notBuilt(work, seen, code, message);
};

/** Too few signers answer what they have signed: the orchestrator asks them again before it has anything signed. */
const unsure = ({ quorum }: RequestWork, { kind }: Recalled): readonly ChainRequestEvent[] =>
  kind === "unsure" ? [{ kind: "Waiting", reason: whyUnsure(quorum) }] : [];

/**
 * A caller may ask for the same bytes twice, and they land once: the second request would count the payment
 * again.
 */
const taken = ({ world }: RequestWork): ChainRequestEvent => ({
  kind: "Failed",
  date: isoNow(world),
  reason: "another request of the wallet has this very transaction",
});

type Built = Extract<ChainRequestEvent, { readonly kind: "Built" }>;

/** Builds a transaction, and reads it as the signers will. */
const make = async (
  { database, chain, wallet }: RequestWork,
  request: ChainRequest,
  act: AuthorisedAct,
  sequencing: Sequencing,
): Promise<Result<Built>> => {
  const alive = await aliveBeside(database, chain, request, act);
  if (!alive.ok) return alive;
  const { requestBody } = request;
  const recipient = await judgeRecipient(chain, request, act);
  if (!recipient.ok) return recipient;
  const gathering = await judgeGathering(chain, request);
  if (!gathering.ok) return gathering;
  const made = await chain.node.build({
    alive: alive.value.map(({ unsigned }) => unsigned),
    sender: wallet.address,
    keys: await signingKeysOf(database, wallet, act),
    act,
    priority: "priority" in requestBody ? requestBody.priority : undefined,
    sequencing,
    insists: insistsOnSending(request),
    isGathering: request.isGathering,
  });
  if (!made.ok) {
    const { code, details } = made.problem;
    return fail(code, details, await namingGathering(database, alive.value, made.problem));
  }
  const { unsigned, sequence, details } = made.value;
  const read = chain.family.read(chain.node.network, unsigned, act);
  if (!read.ok) return read;
  const { exclusion } = read.value;
  return ok({ kind: "Built", sequence, exclusion, unsignedTransaction: unsigned, details });
};

const insistsOnSending = ({ requestBody }: ChainRequest): boolean =>
  "sendAnyway" in requestBody && requestBody.sendAnyway === true;

/** Judges by the chain's present state whether anybody could use the money at the recipient: the request may be days old. */
const judgeRecipient = async (
  { node }: RequestWork["chain"],
  request: ChainRequest,
  act: AuthorisedAct,
): Promise<Result<void>> => {
  if (act.kind !== "transfer" || insistsOnSending(request) || node.judgeRecipient === undefined)
    return ok(undefined);
  return node.judgeRecipient(act.transfer);
};

/**
 * Judges a gathering that the service began while fees were low and that then waited for people or signers: with higher
 * fees its limit would pay for few coins.
 */
const judgeGathering = async (
  { node: { network, gathering } }: RequestWork["chain"],
  { isGathering }: ChainRequest,
): Promise<Result<void>> => {
  if (!isGathering || gathering === undefined) return ok(undefined);
  const cheap = await gathering.isCheap();
  if (!cheap.ok) return cheap;
  return cheap.value
    ? ok(undefined)
    : fail(
        "FeeAboveCap",
        { network: network.network },
        "fees are not low any more: coins are gathered another day",
      );
};

/** Reads the transactions of the wallet's other requests that may still land, except those that this one replaces. */
const aliveBeside = async (
  database: Database,
  { family }: RequestWork["chain"],
  request: ChainRequest,
  act: AuthorisedAct,
): Promise<Result<readonly AliveTransaction[]>> => {
  if (family.spendsCoins !== true) return ok([]);
  const replaced = act.kind === "transaction" ? (act.replaces ?? []) : [];
  const alive = await listAliveTransactions(database, request.walletId, [request.id, ...replaced]);
  return alive === undefined
    ? fail(
        "ServiceUnavailable",
        {},
        "waiting for earlier requests of the wallet, of which too many are on their way",
      )
    : ok(alive);
};

/**
 * Whether the built transaction spends coins of another request that may still land. Rows that are read after the
 * wallet's line give a certain answer.
 */
const takesCoinsOfAnother = async (
  { database, chain }: RequestWork,
  request: ChainRequest,
  act: AuthorisedAct,
  { exclusion: later }: Built,
): Promise<boolean> => {
  const alive = await aliveBeside(database, chain, request, act);
  if (!alive.ok) return true;
  return alive.value.some(
    ({ exclusion }) => exclusion !== undefined && chain.family.excludes(exclusion, later),
  );
};

/**
 * Looks for another request of the wallet that has landed with the same bytes, or that has spent a coin of
 * these bytes, which then cannot land. Equal bytes are one transaction on chain, which this request would
 * take for its own (INV-4). Families that count an account's transactions need no look: each transaction has
 * its own place.
 * @returns "it" for equal bytes, "another" for a transaction that spent one of the coins
 */
const landedMeanwhile = async (
  { database, chain: { family } }: RequestWork,
  { walletId, id }: ChainRequest,
  { exclusion: later, unsignedTransaction }: Built,
): Promise<"it" | "another" | undefined> => {
  if (family.countsTransactions) return undefined;
  const landed = await listLandedTransactions(database, walletId, id);
  if (landed.some(({ unsigned }) => Buffer.compare(unsigned, unsignedTransaction) === 0)) return "it";
  const isSpent = ({ exclusion }: AliveTransaction): boolean =>
    family.spendsCoins === true && exclusion !== undefined && family.excludes(exclusion, later);
  return landed.some(isSpent) ? "another" : undefined;
};

/**
 * Builds a request in the place of another, with higher fees. It takes no new place, so it waits for no other
 * request. The gateway has named this request as the replacement; while it does, no third request replaces
 * the earlier one.
 */
const buildReplacement = async (
  work: RequestWork,
  seen: VersionedRequest,
  authorised: AuthorisedAct,
): Promise<Next> => {
  const { request } = seen;
  const line = await readWalletLine(work.database, request.walletId, request.id);
  const sequencing = await sequencingOf(work, request);
  const [recalled, made] = await Promise.all([
    recallSigned(work, request),
    make(work, request, authorised, sequencing),
  ]);
  if (isNamed(recalled)) return goOnAs(work, seen, recalled, async () => GO_ON);
  if (!made.ok) return notBuilt(work, seen, made.problem.code, made.problem.message);
  const built = made.value;
  return commitBuilt(work, seen, line, async () =>
    (await takesCoinsOfAnother(work, request, authorised, built))
      ? undefined
      : [built, ...unsure(work, recalled)],
  );
};

/** The place that a request has taken, or that of the request that it replaces. */
const sequencingOf = async ({ database }: RequestWork, request: ChainRequest): Promise<Sequencing> => {
  if (request.replacesId === undefined) {
    const { sequence, unsignedTransaction: earlier } = request;
    if (earlier === undefined) throw new Error(`${request.id} is built again and was not built before`);
    return { kind: "kept", sequence, earlier };
  }
  const replaced = await readChainRequest(database, request.replacesId);
  if (replaced?.unsignedTransaction === undefined) {
    throw new Error(`${request.id} replaces ${request.replacesId}, which has no transaction`);
  }
  const { sequence, unsignedTransaction: earlier } = replaced;
  return { kind: "replacing", sequence, earlier };
};

/**
 * Rebuilds a request that had to wait after it was built, with current fees and in its old place: hours may
 * have passed, and the chain might never take the old fees. The old bytes stay in two cases. First, the chain
 * has already counted past their place: the orchestrator has them signed and broadcast, and the node's
 * refusal leads to the proof that they cannot land. Second, the new bytes do not exclude the old ones:
 * signers that went away while they signed may be bound to the old bytes, and would refuse any others
 * (INV-4).
 *
 * Bytes that may have a signature are not rebuilt either: the orchestrator has them signed again. Where only
 * the signers know such bytes, it takes these over; where the signers name several, one after another.
 */
export const renew: RequestStep = async (work, seen) => {
  const recalled = await recallSigned(work, seen.request);
  if (!isNamed(recalled)) {
    const sent = await recallSent(work, seen.request, seen.request);
    if (sent.kind === "sent") return adoptSent(work, seen, sent.events);
    if (sent.kind === "unsure") return notBuilt(work, seen, "ServiceUnavailable", sent.reason);
    return buildAgain(work, seen, undefined);
  }
  return goOnAs(work, seen, recalled, async () => {
    const isNext = await goOnAsNext(work, seen, recalled);
    if (!isNext) await noteReason(work.database, seen, undefined);
    return GO_ON;
  });
};

/**
 * Builds a request again whose bytes signers would now refuse to read: an earlier version wrote another
 * encoding, or the network's fee cap is lower now. Signers that have signed the old bytes sign the new ones
 * if the new ones exclude the old (INV-4).
 * @param why the request fails with these words where the new bytes do not exclude the old
 */
export const buildReadable = (work: RequestWork, seen: VersionedRequest, why: string): Promise<Next> =>
  buildAgain(work, seen, why);

/**
 * @param why signers refuse to read the old bytes; undefined where they read them, so that the old bytes may
 *   stay
 */
const buildAgain = async (
  work: RequestWork,
  seen: VersionedRequest,
  why: string | undefined,
): Promise<Next> => {
  const { request } = seen;
  const line = await readWalletLine(work.database, request.walletId, request.id);
  const sequencing = await sequencingOf(work, request);
  const authorised = authorisedOf(request);
  const made = await make(work, request, authorised, sequencing);
  if (!made.ok) return notBuilt(work, seen, made.problem.code, made.problem.message);
  const built = made.value;
  const isInPlace = built.sequence === request.sequence && excludesEarlier(work, request, built);
  const waiting: ChainRequestEvent = { kind: "Waiting", reason: undefined };
  if (!isInPlace && why !== undefined) return failUnlessSigned(work, seen, why);
  return commitBuilt(work, seen, line, async () => {
    const fits = isInPlace && !(await takesCoinsOfAnother(work, request, authorised, built));
    if (fits) return [built, waiting];
    return why === undefined ? [waiting] : undefined;
  });
};

/**
 * A transaction that version 0.1 built has no exclusion on record: the caller's comparison of places is
 * enough for it.
 */
const excludesEarlier = ({ chain }: RequestWork, { exclusion }: ChainRequest, later: Built): boolean =>
  exclusion === undefined || chain.family.excludes(exclusion, later.exclusion);

const behind = async ({ database, quorum }: RequestWork, seen: VersionedRequest): Promise<Next> => {
  await noteReason(database, seen, quorum.shortage() ?? "waiting for an earlier request of the wallet");
  return again(WALLET_BUSY_MS);
};

const notBuilt = async (
  work: RequestWork,
  seen: VersionedRequest,
  code: string,
  reason: string,
): Promise<Next> => {
  if (code === "ServiceUnavailable") {
    await noteReason(work.database, seen, reason);
    return again(CHAIN_AWAY_MS);
  }
  return failUnlessSigned(work, seen, reason);
};
