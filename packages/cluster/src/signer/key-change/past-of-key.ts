import type { KeyHolders, PartyIndex } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import { type EpochHandover, isOther, meetingNumber } from "../../control/epoch-handover.ts";
import { CLOCK_SKEW_MS_MAX } from "../limits.ts";
import type { KeyRecord, NextRecord, PastHolders } from "../records/record.ts";

/** A signer's knowledge about the time before a key's current holders (INV-4). */
export type PastOfKey = Pick<KeyRecord, "knownSinceMs" | "joined" | "earlier" | "longBefore" | "heldSinceMs">;

/** A signer's switch to a key's next epoch. */
export interface GoingOver {
  readonly self: PartyIndex;
  /** its current share of the key; undefined when it has none */
  readonly held: (KeyHolders & Pick<KeyRecord, "epoch">) | undefined;
  /** its share of the next epoch, and the earlier holders if they were others */
  readonly next: KeyHolders & Pick<NextRecord, "before"> & { readonly from: number };
  /** whether a pending attempt makes this signer a new holder of the key */
  readonly comes: boolean;
  /** handovers of the certificate, with valid signatures */
  readonly handovers: readonly EpochHandover[];
  /** Unix milliseconds: this signer has bound no request of a later time */
  readonly latestMs: number;
}

/**
 * Handovers with dates further ahead of this clock do not count until the clock has come closer: no request can have
 * such a date.
 */
const DATES_AHEAD_MS_MAX = 2 * CLOCK_SKEW_MS_MAX;

/**
 * A signer's knowledge about a key's past once it switches to the next epoch; undefined while it must not switch,
 * because too few holders have handed the key over.
 *
 * A signer without a share learns the past from the earlier holders. If the holders stay the same, such a signer has
 * lost its share, or joined by an attempt that it did not finish. A signer whose epoch is not below the one from which
 * the next was made switches as one of the earlier holders: any before them have handed the key over to them. A signer
 * that missed an epoch in between knows nothing of what was signed until now.
 *
 * @param past its knowledge so far
 */
export const pastAfter = (past: PastOfKey, going: GoingOver, nowMs: number): PastOfKey | undefined => {
  const { self, held, next, comes, latestMs } = going;
  const { knownSinceMs, joined, earlier, longBefore, heldSinceMs = 0 } = past;
  const same: PastOfKey = { knownSinceMs, joined, earlier, longBefore, heldSinceMs: past.heldSinceMs };
  const before = endingHolders(going);
  const skipped = held !== undefined && held.epoch < next.from && isOther(held, next) ? held : undefined;
  const missed =
    skipped === undefined
      ? longBefore
      : furtherBack(longBefore, { sinceMs: nowMs + CLOCK_SKEW_MS_MAX, least: meetingNumber(skipped) });
  if (held !== undefined && !isOther(before, next)) return { ...same, longBefore: missed };
  const given = countedHandovers(self, before, going.handovers, nowMs);
  const holds = held !== undefined && before.parties.includes(self);
  const needed = handoversFrom(before) - (holds ? 1 : 0);
  if (given.length < needed) return undefined;
  const heard = given.map(({ sinceMs, requests }) => ({
    sinceMs,
    requests: requests.map((each) => bytesToHex(each)),
  }));
  const latest = given.map((each) => each.latestMs).sort((one, other) => one - other);
  const ownMs = holds ? latestMs : 0;
  const sinceMs = Math.max(heldSinceMs, ownMs + 1, ...latest.slice(0, needed).map((each) => each + 1));
  if (!holds) {
    const joining = comes ? { needed, heard } : { needed, heard, isLost: true as const };
    return { ...same, joined: joining, heldSinceMs: sinceMs };
  }
  const older =
    earlier === undefined ? missed : furtherBack(missed, { sinceMs: heldSinceMs, least: earlier.least });
  const least = meetingNumber(before);
  return { ...same, earlier: { needed, heard, least }, longBefore: older, heldSinceMs: sinceMs };
};

/** The holders that must hand the key over before this signer signs with its next epoch. */
const endingHolders = ({ held, next }: GoingOver): KeyHolders =>
  held !== undefined && held.epoch >= next.from ? held : (next.before ?? next);

type LongBefore = NonNullable<PastOfKey["longBefore"]>;

const furtherBack = (one: LongBefore | undefined, other: LongBefore): LongBefore => ({
  sinceMs: Math.max(one?.sinceMs ?? 0, other.sinceMs),
  least: Math.max(one?.least ?? 0, other.least),
});

/**
 * The number of holders that hand a key over, so that every quorum of theirs contains one of them. With 2t ≤ n two
 * quorums may be disjoint; then the number is t.
 */
export const handoversFrom = (before: KeyHolders): number =>
  Math.min(meetingNumber(before), before.threshold);

/** The handovers of other holders that count. */
export const countedHandovers = (
  self: PartyIndex,
  before: KeyHolders,
  handovers: readonly EpochHandover[],
  nowMs: number,
): readonly EpochHandover[] =>
  handovers.filter(
    ({ signer, sinceMs, latestMs }) =>
      before.parties.includes(signer) &&
      signer !== self &&
      Math.max(sinceMs, latestMs) <= nowMs + DATES_AHEAD_MS_MAX,
  );

/** The knowledge of a signer that joined by a share of the previous version: nothing of the time before. */
export const unknownUntil = (sinceMs: number): PastHolders => ({
  needed: 1,
  heard: [{ sinceMs, requests: [] }],
});
