import type { Entropy, PartyIndex } from "@conclave/threshold";
import { type PresignatureSet, setName } from "../../signer/presigning/pool.ts";
import type { ListedPresignature } from "../../signer/presigning/pool-status.ts";
import { slownessOf } from "../latency.ts";
import { ORPHAN_AGE_MS, PRESIGNATURE_MARGIN_MS } from "../limits.ts";
import { available, type Candidates, isUnpreferred, suspectedAtMs } from "../quorum/choose.ts";

/** A presignature that all of its signers hold ready. */
export interface ReadyPresignature extends PresignatureSet {
  /** 64 lower-case hex digits */
  readonly id: string;
  readonly signers: readonly PartyIndex[];
  /** Unix milliseconds: when the first of its signers will burn it */
  readonly expiresAtMs: number;
}

/** The presignatures that each signer reported; a signer without an entry did not answer. */
export type Listings = ReadonlyMap<PartyIndex, readonly ListedPresignature[]>;

interface Entry {
  readonly listed: ListedPresignature;
  readonly holders: Map<PartyIndex, ListedPresignature>;
}

/**
 * Groups listings by id and set of signers, so that a signer that reports an id with another set, or a signer outside
 * the set, cannot hide what the others report.
 */
const entriesOf = (listings: Listings): readonly Entry[] => {
  const entries = new Map<string, Entry>();
  for (const [signer, list] of listings) {
    for (const listed of list) {
      if (!listed.signers.includes(signer)) continue;
      const name = `${listed.id}/${setName(listed)}`;
      const entry = entries.get(name) ?? { listed, holders: new Map() };
      entry.holders.set(signer, listed);
      entries.set(name, entry);
    }
  }
  return [...entries.values()];
};

/**
 * The presignatures that may be used now: held and usable at every one of their signers. A false report only wastes an
 * attempt, as every signer checks its own store.
 */
export const inventoryOf = (listings: Listings, nowMs: number): readonly ReadyPresignature[] =>
  entriesOf(listings).flatMap(({ listed, holders }) => {
    const { id, keyId, signers } = listed;
    const isReady = signers.every((signer) => holders.get(signer)?.isUsable === true);
    const expiresAtMs = Math.min(...[...holders.values()].map((each) => each.expiresAtMs));
    return isReady && isFresh({ expiresAtMs }, nowMs) ? [{ id, keyId, signers, expiresAtMs }] : [];
  });

/**
 * Presignatures that were ready at all of their signers before and may still be: some signers did not answer now, and
 * those that did hold them usable. A signer that is too busy to answer this question in time still takes part in
 * signing.
 *
 * @param asked the live signers; presignatures of any other signer are left out
 */
export const readyAsBefore = (
  before: readonly ReadyPresignature[],
  listings: Listings,
  asked: readonly PartyIndex[],
): readonly ReadyPresignature[] =>
  before.filter(({ id, signers }) => {
    const isHeld = (signer: PartyIndex): boolean =>
      listings.get(signer)?.some((listed) => listed.id === id && listed.isUsable) ?? asked.includes(signer);
    return signers.some((signer) => !listings.has(signer)) && signers.every(isHeld);
  });

/** @param unixMs by the clock of the caller; its signers burn it by theirs */
export const isFresh = ({ expiresAtMs }: Pick<ReadyPresignature, "expiresAtMs">, unixMs: number): boolean =>
  expiresAtMs - PRESIGNATURE_MARGIN_MS > unixMs;

/**
 * Presignatures that can never be used, as one of their signers lacks them, by signer that still holds them. Names only
 * those of which all signers answered, and which are too old to be still in the making.
 */
export const orphansOf = (listings: Listings, nowMs: number): ReadonlyMap<PartyIndex, readonly string[]> => {
  const orphans = new Map<PartyIndex, string[]>();
  for (const { listed, holders } of entriesOf(listings)) {
    const isKnown = listed.signers.every((signer) => listings.has(signer));
    const isWhole = listed.signers.every((signer) => holders.has(signer));
    if (!isKnown || isWhole || nowMs - listed.createdAtMs < ORPHAN_AGE_MS) continue;
    for (const holder of holders.keys()) {
      orphans.set(holder, [...(orphans.get(holder) ?? []), listed.id]);
    }
  }
  return orphans;
};

/**
 * The presignatures to try first: of this key, and all of one set of signers, each of which may be asked now. The first
 * sets are those with nothing against them (isUnpreferred); among these, those whose signers never failed or failed
 * longest ago; then those of faster signers; then the given order.
 *
 * @param presignatures those that no signer burns yet (isFresh)
 * @param count how many are needed: one for each ECDSA signable
 * @returns exactly `count`; undefined when no set has that many, or none is needed
 */
export const choosePresignatures = (
  candidates: Candidates,
  keyId: string,
  presignatures: readonly ReadyPresignature[],
  count: number,
  nowMs: number,
): readonly [ReadyPresignature, ...ReadyPresignature[]] | undefined => {
  const usable = new Set(available(candidates, nowMs));
  const failedAtMs = ({ signers }: ReadyPresignature): number =>
    Math.max(...signers.map((signer) => suspectedAtMs(candidates.health, signer, nowMs)));
  const unpreferred = ({ signers }: ReadyPresignature): number =>
    isUnpreferred(candidates.health, signers, nowMs) ? 1 : 0;
  const slow = ({ signers }: ReadyPresignature): number => slownessOf(candidates.health, signers, nowMs);
  const fit = presignatures
    .filter((each) => each.keyId === keyId)
    .filter(({ signers }) => signers.every((signer) => usable.has(signer)))
    .toSorted(
      (a, b) => unpreferred(a) - unpreferred(b) || failedAtMs(a) - failedAtMs(b) || slow(a) - slow(b),
    );
  for (const first of fit) {
    const ofSet = fit.filter((each) => setName(each) === setName(first));
    if (count > 0 && ofSet.length >= count)
      return [first, ...ofSet.filter((each) => each !== first).slice(0, count - 1)];
  }
  return undefined;
};

const uniform = (entropy: Entropy, count: number): readonly number[] => {
  const bytes = entropy(4 * count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, at) => view.getUint32(4 * at));
};

/**
 * The presignatures of a key whose signers may all be asked now, in order of use: from the fullest set first, so that
 * the remaining ones avoid any one signer for as long as possible. Random among equals.
 *
 * @param usable the signers that may be asked now
 */
export const inOrderOfUse = (
  inventory: readonly ReadyPresignature[],
  keyId: string,
  usable: ReadonlySet<PartyIndex>,
  entropy: Entropy,
): readonly ReadyPresignature[] => {
  const fit = inventory.filter((each) => each.keyId === keyId && each.signers.every((s) => usable.has(s)));
  const lots = uniform(entropy, fit.length);
  const ofSet = new Map<string, number>();
  for (const each of fit) ofSet.set(setName(each), (ofSet.get(setName(each)) ?? 0) + 1);
  return fit
    .map((presignature, at) => ({
      presignature,
      inSet: ofSet.get(setName(presignature)) ?? 0,
      lot: lots[at] ?? 0,
    }))
    .sort((a, b) => b.inSet - a.inSet || a.lot - b.lot)
    .map(({ presignature }) => presignature);
};
