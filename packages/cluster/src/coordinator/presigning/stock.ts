import type { KeyHolders, PartyIndex } from "@conclave/threshold";
import { type PresignatureSet, setName } from "../../signer/presigning/pool.ts";
import type { WantedKey } from "./demand.ts";
import { stockTargets } from "./targets.ts";

export interface StockConfig {
  /** the holders of a key for which `holdersOf` gives none */
  readonly parties: readonly PartyIndex[];
  readonly threshold: number;
  /** the holders of one key; undefined where they are those above */
  readonly holdersOf?: (keyId: string) => KeyHolders | undefined;
  /** a set with fewer presignatures than this is filled */
  readonly lowWater: number;
  /** up to this number; at least lowWater */
  readonly highWater: number;
  /** limit for all keys and sets together */
  readonly totalMax: number;
  /** presignings at the same time */
  readonly atOnceMax: number;
}

/** Whether a request waits for a signature now, or lately did, so that its caller may soon send the next. */
export type LiveWork = "now" | "lately" | "none";

/** The state by which the policy decides. */
export interface StockView {
  /** signers that are live, not blamed and not cooling down */
  readonly usable: ReadonlySet<PartyIndex>;
  /** whether two of these signers are kept apart now */
  readonly isApart: (signers: readonly PartyIndex[]) => boolean;
  /** how slow a set of signers is (`slownessOf`), 0 for as fast as others */
  readonly slowness: (signers: readonly PartyIndex[]) => number;
  /** whether the last presigning of a set failed lately */
  readonly hasFailed: (set: PresignatureSet) => boolean;
  /** the keys for which presignatures are kept in stock, the most wanted first */
  readonly keys: readonly WantedKey[];
  readonly inventory: readonly PresignatureSet[];
  /** presignatures in the making */
  readonly underWay: readonly PresignatureSet[];
  /** live work, which goes first */
  readonly live: LiveWork;
  /** signatures of any kind that were begun since the last presigning for the stock */
  readonly begunSince: number;
  /** the sets that were being filled at the last decision */
  readonly filling: ReadonlySet<string>;
}

interface StockDecision {
  /** the sets that are being filled, for the next view */
  readonly filling: ReadonlySet<string>;
  /** the presignatures to make now, if any */
  readonly next: PresignatureSet | undefined;
  /** the stock is full: a presignature of this set must be discarded first */
  readonly evict: PresignatureSet | undefined;
}

/**
 * While callers wait, one presigning refills the stock for this many signatures. A signature without a presignature
 * takes a presigning itself, so under overload a fifth of all presignings is for the stock.
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
 * The sets of signers that are stocked: the windows of `threshold` neighbours on the ring of all. Each signer is absent
 * from n-t of the n windows, so ready presignatures remain when any signer dies, and when any two die that leave t
 * neighbours. When every window has lost a signer, the live signers form a ring of their own.
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

/** The sets to fill: sets with a pair that is kept apart are left out for a while, unless there are no others. */
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
 * The sets that may be filled now. While no request waits for a signature, all; shortly after live work, those below
 * the low mark, so that a caller that sends one request after another need not wait for refills. In any case the stock
 * gets its share under steady load, however long the load lasts.
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
 * The set from which a presignature is discarded: a set that is not filled now, of the key with the greatest excess
 * over its share; otherwise that key's fullest set.
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
 * Decides the next presignature to make. Keys share the stock by use (stockTargets). Sets below the low mark are filled
 * up to the high mark: first those of keys without presignatures, then the emptiest, so that all sets grow together;
 * among equals those of faster signers, then those of the most wanted key. Sets that just failed come last, so that no
 * signer can keep other sets from being stocked by its reports. When the stock is full, presignatures above their key's
 * share are discarded.
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
  // presignatures of absent signers do not count as stock
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
  // the sort is stable, so keys and windows keep their order
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
