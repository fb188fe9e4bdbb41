import {
  type Codec,
  decode,
  type Envelope,
  encode,
  type PartyIndex,
  partyIndex,
  SESSION_ID_BYTES,
  struct,
  uint,
} from "@conclave/threshold";
import { hexToBytes } from "@noble/hashes/utils.js";
import type { SessionKey } from "../../control/session-key.ts";
import type { SignerEffect } from "../effect.ts";
import { ASK_SPENDING_MS, ASK_SPENDING_MS_MAX, CLOCK_SKEW_MS_MAX, CONFIRMING_MS_MAX } from "../limits.ts";
import { readyWhere, without } from "../presigning/pool.ts";
import { doubtingAll } from "../records/key-records.ts";
import { RECORDS, type StoredRecord } from "../records/record.ts";
import { markOf } from "../session/forgotten-mark.ts";
import { andThen, endAllWith, type SignerState, type SignerStep, unchanged } from "../state.ts";
import { isCountSigned, signCount } from "./signed-count.ts";
import { type ReportedCount, unconfirmedSince } from "./spending-counts.ts";

/**
 * Messages about counts of releases are envelopes of a kind that no session uses. The peer's TLS certificate identifies
 * the sender. In place of the envelope's signature they carry the signature on the count, by the signer that counts, so
 * that the receiver can show it later. A message that announces a release carries the id of its session, so that it is
 * sent ahead of the partial signature.
 */
export const SPENDING_KIND = 16;

const SAYS = { spent: 1, asks: 2, remembers: 3 } as const;

interface Words {
  readonly says: number;
  /** spent: the sender's count; asks: the sender's; remembers: the receiver's */
  readonly count: number;
  /** time of the question that is asked or answered, Unix milliseconds */
  readonly askedAtMs: number;
}

const wordsCodec: Codec<Words> = struct<Words>({ says: uint(1), count: uint(6), askedAtMs: uint(6) });
const NO_SESSION = new Uint8Array(SESSION_ID_BYTES);
/** stands for a missing signature: the count is 0, or an older version stored it */
const NO_SIGNATURE = new Uint8Array(64);
const UNREPORTED: ReportedCount = { count: 0, signature: undefined };

const TO_ALL = 0;

const OLDER = "the signer's store turned out to be an older copy";

const say = (
  from: PartyIndex,
  to: number,
  words: Words,
  signature: Uint8Array,
  session: Uint8Array,
): Envelope => ({
  session,
  round: 0,
  kind: SPENDING_KIND,
  from,
  to,
  payload: encode(wordsCodec, words),
  signature,
});

const report = (from: PartyIndex, to: PartyIndex, words: Words, signature: Uint8Array): SignerEffect => ({
  kind: "send",
  to,
  envelope: say(from, to, words, signature, NO_SESSION),
});

const peersOf = ({ config }: SignerState): readonly PartyIndex[] =>
  [...config.roster.keys()].filter((peer) => peer !== config.self);

interface Write {
  readonly record: string;
  readonly value: StoredRecord["value"];
}

const writeCount = (signer: PartyIndex, count: number, signature: Uint8Array): Write => ({
  record: RECORDS.spending.name(String(signer)),
  value: RECORDS.spending.write({ version: 2, count, signature }),
});

/**
 * Counts one more release: of a presignature, of a partial signature that binds its request, or of a promise that a key
 * is handed over. The caller stores the write in the same step as the release, and sends the announcements afterwards,
 * just ahead of the partial signature. The announcements hold the signature on the count, so no peer ever has a
 * signature on a count that the disk did not hold.
 *
 * @param run in which it is released; undefined outside of sessions
 */
export const countRelease = (before: SignerState, run: SessionKey | undefined) => {
  const { spending, config } = before;
  const own = spending.own + 1;
  const signature = signCount(config, own);
  const words = { says: SAYS.spent, count: own, askedAtMs: 0 };
  const session = run === undefined ? NO_SESSION : hexToBytes(run);
  const envelope = say(config.self, TO_ALL, words, signature, session); // the same for all peers, so it is encoded once
  return {
    state: { ...before, spending: { ...spending, own } },
    write: writeCount(config.self, own, signature),
    announcements: peersOf(before).map((to) => ({ kind: "send", to, envelope }) as const),
  } as const;
};

/**
 * Sends all peers the signed count once after a start. They may have it from a version that did not sign it, and need
 * the signature to show it later.
 */
export const reportSpending = (state: SignerState): SignerStep => {
  const { spending } = state;
  if (spending.isReported) return unchanged(state);
  const reported = { ...state, spending: { ...spending, isReported: true } };
  if (spending.own === 0) return unchanged(reported);
  return { state: reported, effects: peersOf(state).map((to) => reportOwn(state, to)) };
};

/**
 * Asks the peers after a start whether they remember a higher count, until all have confirmed that they do not, or,
 * once all had time to answer, enough of them that t-1 liars among them cannot hide it. While too few answer, it asks
 * less and less often.
 */
export const askSpending = (before: SignerState, nowMs: number): SignerStep => {
  const sinceMs = before.spending.sinceMs ?? before.startedAtMs ?? nowMs;
  const isSettled = before.spending.hasWaited || nowMs - sinceMs < CONFIRMING_MS_MAX;
  const state = isSettled ? before : { ...before, spending: { ...before.spending, hasWaited: true } };
  const { spending, config } = state;
  const peers = config.roster.size - 1;
  const enough = spending.hasWaited ? Math.min(config.threshold, peers) : peers;
  if (spending.confirmedBy.size >= enough) return unchanged(state);
  const sinceStartMs = spending.askedAtMs - sinceMs;
  const pauseMs = Math.min(Math.max(ASK_SPENDING_MS, sinceStartMs), ASK_SPENDING_MS_MAX);
  if (Math.abs(nowMs - spending.askedAtMs) < pauseMs) return unchanged(state);
  const words = { says: SAYS.asks, count: spending.own, askedAtMs: nowMs };
  const signature = signCount(config, spending.own);
  return {
    state: { ...state, spending: { ...spending, askedAtMs: nowMs } },
    effects: peersOf(state)
      .filter((peer) => !spending.confirmedBy.has(peer))
      .map((peer) => report(config.self, peer, words, signature)),
  };
};

/** Handles a peer's message about a count, its own or ours. A message that does not decode is ignored. */
export const hearOfSpending = (
  state: SignerState,
  from: PartyIndex,
  envelope: Envelope,
  nowMs: number,
): SignerStep => {
  const decoded = decode(wordsCodec, envelope.payload);
  if (!decoded.ok) return unchanged(state);
  const heard: Heard = { ...decoded.value, from, signature: envelope.signature };
  switch (heard.says) {
    case SAYS.spent:
    case SAYS.asks:
      return remember(state, heard);
    case SAYS.remembers:
      return compare(state, heard, nowMs);
    default:
      return unchanged(state);
  }
};

interface Heard extends Words {
  readonly from: PartyIndex;
  readonly signature: Uint8Array;
}

/**
 * Keeps the peer's count when it is higher than before, or signed for the first time. Answers with the highest count
 * when the peer asks, or reports a lower one. A higher count without the peer's signature is ignored. A peer asks when
 * it starts; the answer is followed by our own count, which it may have missed.
 */
const remember = (state: SignerState, { from, says, count, askedAtMs, signature }: Heard): SignerStep => {
  const { spending, config } = state;
  const known = spending.peers.get(from) ?? UNREPORTED;
  // a count that an older version kept unsigned may be of an earlier identity or store of the peer
  const isFirstSigned = known.count > 0 && known.signature === undefined;
  const isNews = count > known.count || isFirstSigned;
  if (isNews && !isCountSigned(config, from, count, signature)) return unchanged(state);
  const highest: ReportedCount = isNews ? { count, signature } : known;
  const words = { says: SAYS.remembers, count: highest.count, askedAtMs };
  const answer = report(config.self, from, words, highest.signature ?? NO_SIGNATURE);
  const puts = [writeCount(from, count, signature)];
  const keep: SignerEffect = { kind: "batch", puts, erases: [], sync: false };
  const peers = isNews ? new Map(spending.peers).set(from, highest) : spending.peers;
  const asks = says === SAYS.asks;
  return {
    state: { ...state, spending: { ...spending, peers } },
    effects: [
      ...(isNews ? [keep] : []),
      ...(asks || count < known.count ? [answer] : []),
      ...(asks && spending.own > 0 ? [reportOwn(state, from)] : []),
    ],
  };
};

const reportOwn = ({ spending, config }: SignerState, peer: PartyIndex): SignerEffect => {
  const words = { says: SAYS.spent, count: spending.own, askedAtMs: 0 };
  return report(config.self, peer, words, signCount(config, spending.own));
};

/**
 * Compares a peer's answer with our count. Our own signature on a higher count than ours proves that the store is an
 * old copy, or that this process has a twin. Then the signer burns its pool, ends every session, signs with no key
 * before its next epoch, and never for an earlier request, which it may have bound in the lost time (INV-4). A higher
 * count without it confirms nothing and burns nothing: the peer lies, or remembers a count that an older version sent.
 * The signature is verified only when the count is higher.
 */
const compare = (
  state: SignerState,
  { from, count, askedAtMs, signature }: Heard,
  nowMs: number,
): SignerStep => {
  const { spending, config } = state;
  if (count <= spending.own) {
    if (askedAtMs !== spending.askedAtMs || askedAtMs === 0) return unchanged(state);
    const confirmedBy = new Set(spending.confirmedBy).add(from);
    return unchanged({ ...state, spending: { ...spending, confirmedBy } });
  }
  if (!isCountSigned(config, config.self, count, signature)) return unchanged(state);
  const ids = readyWhere(state.pool, () => true);
  const rolledBack = spending.rolledBack + 1;
  const olderMs = Math.max(state.forgotten.olderMs, nowMs + CLOCK_SKEW_MS_MAX);
  // a store without shares learns what was signed with a key as it gets one (key-change/past-of-key.ts)
  const isEmpty = state.keyCount === 0 && state.next.size === 0;
  const requestedToMs = isEmpty ? state.forgotten.requestedToMs : olderMs;
  const forgotten = { ...state.forgotten, requestedToMs, olderMs, alarms: state.forgotten.alarms + 1 };
  const doubting = doubtingAll({
    ...state,
    forgotten,
    pool: without(state.pool, ids, "burnt"),
    spending: unconfirmedSince({ ...spending, own: count, rolledBack }, nowMs),
  });
  const puts = [writeCount(config.self, count, signature), markOf(forgotten), ...doubting.puts];
  const alarmed: SignerStep = {
    state: doubting.state,
    effects: [
      { kind: "batch", puts, erases: [], sync: true },
      { kind: "alarm", alarm: { shownBy: from, held: spending.own, signed: { count, signature } } },
    ],
  };
  return andThen(alarmed, (next) => endAllWith(next, { kind: "failure", reason: OLDER, silent: [] }));
};

/**
 * Restores a stored count, ours or a peer's; undefined for another kind of record. A peer with another identity lost
 * its folder and has an empty store: its earlier count is dropped, as the peer could confirm nothing otherwise.
 */
export const recallSpending = (state: SignerState, stored: StoredRecord): SignerState | undefined => {
  const signer = partyIndex(Number(RECORDS.spending.idOf(stored.record)));
  if (signer === undefined) return undefined;
  const kept = RECORDS.spending.read(stored);
  const { spending, config } = state;
  if (signer === config.self) return { ...state, spending: { ...spending, own: kept.count } };
  const signature = kept.version === 2 ? kept.signature : undefined;
  if (signature !== undefined && !isCountSigned(config, signer, kept.count, signature)) return state;
  const peers = new Map(spending.peers).set(signer, { count: kept.count, signature });
  return { ...state, spending: { ...spending, peers } };
};
