import type { PartyIndex } from "@conclave/threshold";
import { type PresignatureSet, setName } from "../../signer/presigning/pool.ts";

export interface StockConfig {
  /** every signer of the roster */
  readonly parties: readonly PartyIndex[];
  readonly threshold: number;
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

/** What the policy sees of the world. */
export interface StockView {
  /** signers that are live, not blamed and not cooling down */
  readonly usable: ReadonlySet<PartyIndex>;
  /** whether two of these signers are kept apart for now */
  readonly isApart: (signers: readonly PartyIndex[]) => boolean;
  /** keys that are worth a stock, the most wanted first */
  readonly keys: readonly string[];
  readonly inventory: readonly PresignatureSet[];
  /** presignatures in the making */
  readonly underWay: readonly PresignatureSet[];
  /** it comes first */
  readonly live: LiveWork;
  /** the sets that were being filled when the policy was asked last */
  readonly filling: ReadonlySet<string>;
}

interface StockDecision {
  /** for the next view */
  readonly filling: ReadonlySet<string>;
  /** what to make now, if anything */
  readonly next: PresignatureSet | undefined;
}

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

/**
 * What to make next. Sets that fell below the low mark are filled up to the high mark; the emptiest of them is next,
 * of the most wanted key among equals, so that all sets grow together. Nothing while there is live work, and shortly
 * after it only sets below the low mark: who asks again and again is not to wait for what tops the stock up.
 */
export const nextToFill = (config: StockConfig, view: StockView): StockDecision => {
  const { keys, inventory, underWay, live } = view;
  const stock = new Map<string, number>();
  for (const set of [...inventory, ...underWay]) {
    stock.set(setName(set), (stock.get(setName(set)) ?? 0) + 1);
  }
  const sets = keys.flatMap((keyId) =>
    setsToFill(config, view).map((signers): PresignatureSet => ({ keyId, signers })),
  );
  const held = (set: PresignatureSet): number => stock.get(setName(set)) ?? 0;
  const isFilling = (set: PresignatureSet): boolean =>
    held(set) < config.lowWater || (view.filling.has(setName(set)) && held(set) < config.highWater);
  const low = sets.filter(isFilling);
  const filling = new Set(low.map(setName));
  const isFull = inventory.length + underWay.length >= config.totalMax;
  if (live === "now" || isFull || underWay.length >= config.atOnceMax) return { filling, next: undefined };
  const wanted = live === "lately" ? low.filter((set) => held(set) < config.lowWater) : low;
  const [next] = wanted.toSorted((a, b) => held(a) - held(b)); // a stable sort: keys and windows keep their order
  return { filling, next };
};
