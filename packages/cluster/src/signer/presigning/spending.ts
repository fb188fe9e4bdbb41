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
import { ASK_SPENDING_MS, SPENDING_COUNT_MAX } from "../limits.ts";
import { RECORDS, type ReadyRecord, type StoredRecord } from "../records/record.ts";
import { type SignerState, type SignerStep, unchanged } from "../state.ts";
import { readyWhere, without } from "./pool.ts";

/**
 * Messages about spending travel as envelopes of a kind that no session has. The peer's certificate identifies the
 * sender, so they are not signed. A message that announces a spending carries the id of its session, and so goes
 * ahead of its partial signature.
 */
export const SPENDING_KIND = 16;

const SAYS = { spent: 1, asks: 2, remembers: 3 } as const;

interface Words {
  readonly says: number;
  /** spent: of the sender; asks: of the sender; remembers: of the receiver */
  readonly count: number;
  /** of the question that is asked or answered, Unix milliseconds */
  readonly askedAtMs: number;
}

const wordsCodec: Codec<Words> = struct<Words>({ says: uint(1), count: uint(6), askedAtMs: uint(6) });
const NO_SESSION = new Uint8Array(SESSION_ID_BYTES);
const NO_SIGNATURE = new Uint8Array(64);

const TO_ALL = 0;

const say = (from: PartyIndex, to: number, words: Words, session: Uint8Array): Envelope => ({
  session,
  round: 0,
  kind: SPENDING_KIND,
  from,
  to,
  payload: encode(wordsCodec, words),
  signature: NO_SIGNATURE,
});

const tell = (from: PartyIndex, to: PartyIndex, words: Words): SignerEffect => ({
  kind: "send",
  to,
  envelope: say(from, to, words, NO_SESSION),
});

const peersOf = ({ config }: SignerState): readonly PartyIndex[] =>
  [...config.roster.keys()].filter((peer) => peer !== config.self);

interface Write {
  readonly record: string;
  readonly value: StoredRecord["value"];
}

const writeCount = (signer: PartyIndex, count: number): Write => ({
  record: RECORDS.spending.name(String(signer)),
  value: RECORDS.spending.write({ version: 1, count }),
});

/**
 * Counts one more presignature as spent. The caller puts the write into the same step as the tombstone, and sends the
 * announcements afterwards: no peer has the partial signature before, and the peers that get it get the announcement
 * with it.
 */
export const spendOne = (before: SignerState, run: SessionKey) => {
  const { spending, config } = before;
  const own = spending.own + 1;
  const words = { says: SAYS.spent, count: own, askedAtMs: 0 };
  const envelope = say(config.self, TO_ALL, words, hexToBytes(run)); // one for all is encoded once
  return {
    state: { ...before, spending: { ...spending, own } },
    write: writeCount(config.self, own),
    announcements: peersOf(before).map((to) => ({ kind: "send", to, envelope }) as const),
  } as const;
};

/**
 * Whether the counts allow a presignature to be used. A presignature from before the start needs the confirmation of
 * each of its other signers, which were told when it was spent, and of at least t peers, because t-1 may lie
 * together.
 */
export const isConfirmed = (
  { config, spending }: SignerState,
  id: string,
  { signers }: ReadyRecord,
): boolean => {
  const { recalled, confirmedBy } = spending;
  if (!recalled.has(id)) return true;
  const enough = Math.min(config.threshold, config.roster.size - 1);
  return (
    confirmedBy.size >= enough && signers.every((signer) => signer === config.self || confirmedBy.has(signer))
  );
};

/** Asks those that have not confirmed, while anything waits for it. */
export const askSpending = (state: SignerState, nowMs: number): SignerStep => {
  const { spending, config, pool } = state;
  if (spending.recalled.size === 0) return unchanged(state);
  const waits = readyWhere(pool, (record, id) => !isConfirmed(state, id, record), 1).length > 0;
  if (!waits || Math.abs(nowMs - spending.askedAtMs) < ASK_SPENDING_MS) return unchanged(state);
  const words = { says: SAYS.asks, count: spending.own, askedAtMs: nowMs };
  return {
    state: { ...state, spending: { ...spending, askedAtMs: nowMs } },
    effects: peersOf(state)
      .filter((peer) => !spending.confirmedBy.has(peer))
      .map((peer) => tell(config.self, peer, words)),
  };
};

/** Handles what a peer reports about spending, its own or ours. A message that does not decode is ignored. */
export const hearOfSpending = (state: SignerState, from: PartyIndex, { payload }: Envelope): SignerStep => {
  const decoded = decode(wordsCodec, payload);
  if (!decoded.ok) return unchanged(state);
  const words = decoded.value;
  switch (words.says) {
    case SAYS.spent:
    case SAYS.asks:
      return remember(state, from, words);
    case SAYS.remembers:
      return compare(state, from, words);
    default:
      return unchanged(state);
  }
};

/**
 * Keeps the peer's count when it is higher than before. Answers with the highest count when the peer asks, or when it
 * reports a lower one.
 */
const remember = (state: SignerState, from: PartyIndex, { says, count, askedAtMs }: Words): SignerStep => {
  const { spending, config } = state;
  const known = spending.peers.get(from) ?? 0;
  const isNews = count > known;
  const highest = isNews ? count : known;
  const answer = tell(config.self, from, { says: SAYS.remembers, count: highest, askedAtMs });
  const keep: SignerEffect = { kind: "batch", puts: [writeCount(from, count)], erases: [], sync: false };
  const peers = isNews ? new Map(spending.peers).set(from, count) : spending.peers;
  const isAnswered = says === SAYS.asks || count < known;
  return {
    state: { ...state, spending: { ...spending, peers } },
    effects: [...(isNews ? [keep] : []), ...(isAnswered ? [answer] : [])],
  };
};

/**
 * A peer that remembers more than this signer holds proves that the store is an old copy, or lies: the signer burns
 * its pool in either case.
 */
const compare = (state: SignerState, from: PartyIndex, { count, askedAtMs }: Words): SignerStep => {
  const { spending, config } = state;
  if (count <= spending.own) {
    if (askedAtMs !== spending.askedAtMs || askedAtMs === 0) return unchanged(state);
    const confirmedBy = new Set(spending.confirmedBy).add(from);
    return unchanged({ ...state, spending: { ...spending, confirmedBy } });
  }
  const ids = readyWhere(state.pool, () => true);
  // a liar cannot push it to where it no longer counts, nor back to where honest peers remember more for ever
  const own = Math.max(spending.own, Math.min(count, SPENDING_COUNT_MAX));
  const rolledBack = spending.rolledBack + 1;
  return {
    state: {
      ...state,
      pool: without(state.pool, ids, "burnt"),
      spending: { ...spending, own, rolledBack, confirmedBy: new Set() },
    },
    effects: [
      {
        kind: "batch",
        puts: [writeCount(config.self, own)],
        erases: ids.map((id) => RECORDS.presignature.name(id)),
        sync: true,
      },
    ],
  };
};

/** A count as it was stored: ours, or what we remember of a peer; undefined for another kind of record. */
export const recallSpending = (state: SignerState, stored: StoredRecord): SignerState | undefined => {
  const signer = partyIndex(Number(RECORDS.spending.idOf(stored.record)));
  if (signer === undefined) return undefined;
  const { count } = RECORDS.spending.read(stored);
  const { spending, config } = state;
  return signer === config.self
    ? { ...state, spending: { ...spending, own: count } }
    : { ...state, spending: { ...spending, peers: new Map(spending.peers).set(signer, count) } };
};
