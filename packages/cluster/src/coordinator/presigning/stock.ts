import type { KeyHolders, PartyIndex } from "@conclave/threshold";
import { type PresignatureSet, setName } from "../../signer/presigning/pool.ts";
import type { WantedKey } from "./demand.ts";
import { stockTargets } from "./targets.ts";

export interface StockConfig {
  /** the signers that hold a key, where nothing else is known of it */
  readonly parties: readonly PartyIndex[];
  readonly threshold: number;
  /** those of one key; undefined where they are the ones above */
  readonly holdersOf?: (keyId: string) => KeyHolders | undefined;
  /** a set with fewer presignatures is filled */
  readonly lowWater: number;
  /** until it has this many; at least lowWater */
  readonly highWater: number;
  /** presignatures of all keys and sets together */
  readonly totalMax: number;
  /** presignings at once */
  readonly atOnceMax: number;
}

/** Whether somebody waits for a signature now, or did a moment ago and may come back with the next request. */
export type LiveWork = "now" | "lately" | "none";

/** The policy's view of the world. */
export interface StockView {
  /** signers that are live, not blamed and not cooling down */
  readonly usable: ReadonlySet<PartyIndex>;
  /** whether two of these signers are kept apart for now */
  readonly isApart: (signers: readonly PartyIndex[]) => boolean;
  /** how slow a set of signers is, 0 for as fast as others: slownessOf */
  readonly slowness: (signers: readonly PartyIndex[]) => number;
  /** whether the last presigning of a set failed a moment ago */
  readonly hasFailed: (set: PresignatureSet) => boolean;
  /** keys that are worth a stock, the most wanted first */
  readonly keys: readonly WantedKey[];
  readonly inventory: readonly PresignatureSet[];
  /** presignatures in the making */
  readonly underWay: readonly PresignatureSet[];
  /** it comes first */
  readonly live: LiveWork;
  /** signatures of any kind that began since a presigning for the stock did */
  readonly begunSince: number;
  /** the sets that were being filled when the policy was asked last */
  readonly filling: ReadonlySet<string>;
}

interface StockDecision {
  /** for the next view */
  readonly filling: ReadonlySet<string>;
  /** the presignatures to make now, if any */
  readonly next: PresignatureSet | undefined;
  /** the stock is full: a presignature of this set has to go first */
  readonly evict: PresignatureSet | undefined;
}

/**
 * The share of refilling while callers wait: one presigning for so many signatures. A signature that finds no presignature
 * costs a presigning itself, so that under overload a fifth of all presignings is for the stock.
 */
const SIGNATURES_PER_REFILL = 4;

const windows = (parties: readonly PartyIndex[], threshold: number): readonly (readonly PartyIndex[])[] => {
  const ring = parties.toSorted((a, b) => a - b);
  if (ring.length < threshold) return [];
  const twice = [...ring, ...ring];
  return Array.from({ length: ring.length === threshold ? 1 : ring.length }, (_, start) =>
    twice.slice(start, start + threshold).toSorted((a, b) => a - b),
  );
};

/**
 * The sets of signers that are stocked: the windows of `threshold` neighbours on the ring of all. Each signer is
 * absent from n-t of the n windows, so ready presignatures remain when any signer dies, and when any two die that
 * leave t neighbours. When every window has lost somebody, the live ones make a ring of their own.
 */
export const stockSets = (
  { parties, threshold }: Pick<StockConfig, "parties" | "threshold">,
  usable: ReadonlySet<PartyIndex>,
): readonly (readonly PartyIndex[])[] => {
  const whole = windows(parties, threshold).filter((set) => set.every((signer) => usable.has(signer)));
  return whole.length > 0
    ? whole
    : windows(
        parties.filter((signer) => usable.has(signer)),
        threshold,
      );
};

/** Sets whose signers fail with each other are left alone for a while, unless there are only such. */
const setsToFill = (
  config: StockConfig,
  { usable, isApart }: StockView,
): readonly (readonly PartyIndex[])[] => {
  const sets = stockSets(config, usable);
  const sound = sets.filter((set) => !isApart(set));
  return sound.length > 0 ? sound : sets;
};

/** The sets of each key, computed once for all keys of the same holders. */
const setsByKey = (config: StockConfig, view: StockView) => {
  const known = new Map<
    string,
    { readonly sets: readonly (readonly PartyIndex[])[]; readonly names: ReadonlySet<string> }
  >();
  return (keyId: string) => {
    const { threshold, parties } = config.holdersOf?.(keyId) ?? config;
    const name = `${threshold}/${String(parties)}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const sets = setsToFill({ ...config, threshold, parties }, view);
    const found = { sets, names: new Set(sets.map(String)) };
    known.set(name, found);
    return found;
  };
};

const tally = (names: readonly string[]): ((name: string) => number) => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (name) => counts.get(name) ?? 0;
};

/**
 * Which of the sets that are to be filled may be filled now. All, while nobody waits for a signature; shortly after live
 * work those below the low mark: who asks again and again is not to wait for what tops the stock up. But the stock has
 * its share of steady load, whatever its length.
 */
const fillable = (
  { live, begunSince }: Pick<StockView, "live" | "begunSince">,
  low: readonly PresignatureSet[],
  isBelow: (set: PresignatureSet) => boolean,
): readonly PresignatureSet[] => {
  if (live === "none" || begunSince >= SIGNATURES_PER_REFILL) return low;
  return live === "lately" ? low.filter(isBelow) : [];
};

/**
 * The set that makes room: one that is not filled now, of the key with the most beyond its share; else the fullest set of that
 * key.
 */
const mostDispensable = (
  inventory: readonly PresignatureSet[],
  isStocked: (set: PresignatureSet) => boolean,
  excessOf: (keyId: string) => number,
  held: (set: PresignatureSet) => number,
): PresignatureSet | undefined => {
  const stocked = (set: PresignatureSet): number => (isStocked(set) ? 1 : 0);
  const [first] = inventory
    .filter(({ keyId }) => excessOf(keyId) > 0)
    .toSorted(
      (a, b) => excessOf(b.keyId) - excessOf(a.keyId) || stocked(a) - stocked(b) || held(b) - held(a),
    );
  return first === undefined ? undefined : { keyId: first.keyId, signers: first.signers };
};

/**
 * The next presignatures to make. Keys share the stock by how much they are used (stockTargets). Sets that fell below the low
 * mark are filled up to the high mark: those of keys that have nothing first, then the emptiest, so that all sets grow
 * together; among equals those of faster signers, then those of the most wanted key. Sets that just failed come last, so that
 * no signer keeps others from being stocked, whatever it says. When the stock is full, what a key has above its share makes
 * room.
 */
export const nextToFill = (config: StockConfig, view: StockView): StockDecision => {
  const { inventory, underWay } = view;
  const all = [...inventory, ...underWay];
  const ofSet = tally(all.map(setName));
  const held = (set: PresignatureSet): number => ofSet(setName(set));
  const setsOf = setsByKey(config, view);
  const isStocked = ({ keyId, signers }: PresignatureSet): boolean =>
    setsOf(keyId).names.has(String(signers));
  const setsMax = Math.max(0, ...view.keys.map(({ keyId }) => setsOf(keyId).sets.length));
  // a presignature that needs an absent signer is no stock now
  const ofKey = tally(all.filter(isStocked).map(({ keyId }) => keyId));
  const targets = stockTargets(view.keys, setsMax * config.highWater, config.totalMax);
  const sets = targets
    .filter(({ keyId, count }) => ofKey(keyId) < count)
    .flatMap(({ keyId }) => setsOf(keyId).sets.map((set): PresignatureSet => ({ keyId, signers: set })));
  const isBelow = (set: PresignatureSet): boolean => held(set) < config.lowWater;
  const isFilling = (set: PresignatureSet): boolean =>
    isBelow(set) || (view.filling.has(setName(set)) && held(set) < config.highWater);
  const low = sets.filter(isFilling);
  const filling = new Set(low.map(setName));
  const rest = { filling, next: undefined, evict: undefined };
  if (underWay.length >= config.atOnceMax) return rest;
  const none = ({ keyId }: PresignatureSet): number => (ofKey(keyId) === 0 ? 0 : 1);
  const slow = (set: PresignatureSet): number => view.slowness(set.signers);
  const failed = (set: PresignatureSet): number => (view.hasFailed(set) ? 1 : 0);
  // a stable sort: keys and windows keep their order
  const [next] = fillable(view, low, isBelow).toSorted(
    (a, b) => failed(a) - failed(b) || none(a) - none(b) || held(a) - held(b) || slow(a) - slow(b),
  );
  if (next === undefined || all.length < config.totalMax) return { filling, next, evict: undefined };
  const shares = new Map(targets.map(({ keyId, count }) => [keyId, count]));
  const inAll = tally(inventory.map(({ keyId }) => keyId));
  const excessOf = (keyId: string): number => inAll(keyId) - Math.min(ofKey(keyId), shares.get(keyId) ?? 0);
  const evict = mostDispensable(inventory, isStocked, excessOf, held);
  return evict === undefined ? rest : { filling, next, evict };
};
