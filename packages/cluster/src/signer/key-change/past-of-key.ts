import type { KeyHolders, PartyIndex } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import {
  type EpochHandover,
  handoversNeeded,
  isOther,
  type KnownRequests,
  meetingNumber,
} from "../../control/epoch-handover.ts";
import { CLOCK_SKEW_MS_MAX, HANDED_REQUESTS_MAX } from "../limits.ts";
import type { HandedOver, KeyRecord, NextRecord } from "../records/record.ts";

/** What a signer knows of the time before a key's present holders (INV-4). */
export type PastOfKey = Pick<KeyRecord, "knownSinceMs" | "joined" | "earlier" | "heldSinceMs">;

/** A change of a key's holders, for one signer that holds the key afterwards. */
export interface ChangeOfHolders {
  readonly self: PartyIndex;
  /** the holders of before, as the session that made the next epoch agreed on them; undefined where they stay */
  readonly before: NextRecord["before"];
  /** whether the version before noted that this signer comes to the key, and no holders of before */
  readonly comes?: NextRecord["comes"];
  readonly after: KeyHolders;
  /** of the certificate, each signed */
  readonly handovers: readonly EpochHandover[];
}

interface Before {
  readonly before: KeyHolders;
}

/** Dates further ahead of this clock are no dates of requests: their handovers count only once it has come closer. */
const DATES_AHEAD_MS_MAX = 2 * CLOCK_SKEW_MS_MAX;

/**
 * What a signer knows of the past of a key once it goes to the next epoch; undefined while it must not, for too few have handed the key over.
 *
 * @param past as it is so far
 */
export const pastAfter = (
  past: PastOfKey,
  { self, before, comes, after, handovers }: ChangeOfHolders,
  nowMs: number,
): PastOfKey | undefined => {
  const { knownSinceMs, joined, earlier, heldSinceMs } = past;
  const same: PastOfKey = { knownSinceMs, joined, earlier, heldSinceMs };
  if (comes !== undefined) return { ...same, joined: handedOf(nothingKnown(nowMs)) };
  if (before === undefined || !isOther(before, after)) return same;
  const counted = countedHandovers({ self, before, after, handovers }, nowMs);
  if (counted === undefined) return undefined;
  const heard = counted.length === 0 ? nothingKnown(nowMs) : heardFrom(counted);
  const heldAfterMs = Math.max(heldSinceMs ?? 0, heard.latestMs + 1);
  if (!before.parties.includes(self)) return { ...same, joined: handedOf(heard), heldSinceMs: heldAfterMs };
  const least = Math.max(earlier?.least ?? 0, meetingNumber(before));
  return { ...same, earlier: { ...both(earlier, heard, nowMs), least }, heldSinceMs: heldAfterMs };
};

/**
 * The handovers on which a signer goes to the next epoch, or leaves: as many as no quorum of before passes by, beside its own.
 *
 * @returns undefined while there are fewer
 */
export const countedHandovers = (
  { self, before, after, handovers }: Required<Omit<ChangeOfHolders, "before" | "comes">> & Before,
  nowMs: number,
): readonly EpochHandover[] | undefined => {
  const holds = before.parties.includes(self);
  // a liar's late date makes requests unknown that were not signed: the earliest dates are taken
  const others = handovers
    .filter(
      ({ signer, ...dates }) => before.parties.includes(signer) && signer !== self && isDated(dates, nowMs),
    )
    .sort((one, other) => one.sinceMs - other.sinceMs);
  const needed = Math.max(0, handoversNeeded(before, after) - (holds ? 1 : 0));
  return others.length < needed ? undefined : others.slice(0, needed);
};

const isDated = (
  { sinceMs, latestMs }: Pick<KnownRequests, "sinceMs" | "latestMs">,
  nowMs: number,
): boolean => Math.max(sinceMs, latestMs) <= nowMs + DATES_AHEAD_MS_MAX;

interface Heard extends HandedOver {
  readonly latestMs: number;
}

const handedOf = ({ sinceMs, requests }: Heard): HandedOver => ({ sinceMs, requests });

/** Nothing is known of requests that were asked for until now. */
const nothingKnown = (nowMs: number): Heard => {
  const soonMs = nowMs + CLOCK_SKEW_MS_MAX;
  return { sinceMs: soonMs, latestMs: soonMs, requests: [] };
};

/** Every quorum of before has this signer in it, or one of these: that one named the request, or it was asked for too early. */
const heardFrom = (given: readonly EpochHandover[]): Heard => ({
  sinceMs: Math.max(...given.map(({ sinceMs }) => sinceMs)),
  latestMs: Math.max(...given.map(({ latestMs }) => latestMs)),
  requests: [...new Set(given.flatMap(({ requests }) => requests.map((each) => bytesToHex(each))))],
});

/** What is known of neither time counts as signed. */
const both = (one: HandedOver | undefined, { sinceMs, requests }: Heard, nowMs: number): HandedOver => {
  const all = [...new Set([...(one?.requests ?? []), ...requests])];
  if (all.length > HANDED_REQUESTS_MAX) {
    const { sinceMs: soonMs } = nothingKnown(nowMs);
    return { sinceMs: Math.max(soonMs, one?.sinceMs ?? 0, sinceMs), requests: [] };
  }
  return { sinceMs: Math.max(one?.sinceMs ?? 0, sinceMs), requests: all };
};
