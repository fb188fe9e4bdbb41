import type { HeldEpoch, KeyHolding } from "@conclave/cluster";
import type { PartyIndex } from "@conclave/threshold";

/** The state of one key at all signers. */
export interface KeyStanding {
  readonly keyId: string;
  /** lower-case hex */
  readonly publicKey: string;
  /** the highest epoch in which at least t signers are; the highest of all where there is none */
  readonly epoch: number;
  readonly held: ReadonlyMap<PartyIndex, HeldEpoch>;
  /** signers that are in no such epoch yet, ascending */
  readonly lacking: readonly PartyIndex[];
  /** whether these signers hold their share of that epoch and only have to be shown its certificate */
  readonly isHalfActive: boolean;
}

type Heard = ReadonlyMap<PartyIndex, ReadonlyMap<string, KeyHolding>>;

const heldBy = (keys: ReadonlyMap<string, KeyHolding>, keyId: string): HeldEpoch => {
  const key = keys.get(keyId);
  return { epoch: key?.state === "active" ? key.epoch : 0, pending: key?.next ?? [] };
};

/** At most t-1 signers lie: an epoch that t name is one. */
const epochOf = (held: readonly HeldEpoch[], threshold: number): number => {
  const epochs = held.map(({ epoch }) => epoch);
  const shared = epochs.filter(
    (epoch) => epoch > 0 && epochs.filter((other) => other === epoch).length >= threshold,
  );
  return Math.max(...(shared.length > 0 ? shared : epochs));
};

/** The public key that most of the signers name: fewer than sign together lie. */
const mostNamed = (said: readonly string[]): string => {
  const timesOf = (name: string): number => said.filter((each) => each === name).length;
  return said.reduce((most, name) => (timesOf(name) > timesOf(most) ? name : most));
};

/**
 * Determines the state of every key that is active at any signer; keys that are still being made are left out.
 *
 * @param heard the entries of each signer, by key id: all of them, or that of one key
 * @param which "settled": without those that a signer is still making; "all": those that as many have as sign
 * together, whatever fewer say
 */
export const keyStandings = (
  heard: Heard,
  threshold: number,
  which: "settled" | "all" = "settled",
): readonly KeyStanding[] => {
  const named = new Map<string, readonly string[]>();
  const beingMade = new Set<string>();
  for (const keys of heard.values()) {
    for (const { keyId, state, publicKey } of keys.values()) {
      if (state === "active") {
        named.set(keyId, [...(named.get(keyId) ?? []), Buffer.from(publicKey).toString("hex")]);
      }
      if (state === "pending") beingMade.add(keyId);
    }
  }
  const publicKeys = [...named].flatMap(([keyId, said]) => {
    if (which === "all" && said.length < threshold) return [];
    return [[keyId, mostNamed(said)] as const];
  });
  const settled = publicKeys.filter(([keyId]) => which === "all" || !beingMade.has(keyId));
  return settled.map(([keyId, publicKey]) => {
    const held = new Map([...heard].map(([index, keys]) => [index, heldBy(keys, keyId)]));
    const epoch = epochOf([...held.values()], threshold);
    const behind = [...held].filter(([, each]) => each.epoch < epoch);
    return {
      keyId,
      publicKey,
      epoch,
      held,
      lacking: behind.map(([index]) => index).sort((a, b) => a - b),
      isHalfActive:
        behind.length > 0 && behind.every(([, { pending }]) => pending.some((each) => each.epoch === epoch)),
    };
  });
};
