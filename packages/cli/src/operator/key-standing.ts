import type { HeldEpoch, KeyHolding } from "@conclave/cluster";
import type { PartyIndex } from "@conclave/threshold";

/** The state of one key at all signers. */
export interface KeyStanding {
  readonly keyId: string;
  /** lower-case hex */
  readonly publicKey: string;
  /** the highest epoch that at least t signers are in; if there is none, the highest of all */
  readonly epoch: number;
  readonly held: ReadonlyMap<PartyIndex, HeldEpoch>;
  /** signers that are not yet in this epoch, ascending */
  readonly lacking: readonly PartyIndex[];
  /** whether the lacking signers already hold their shares of that epoch and need only its certificate */
  readonly isHalfActive: boolean;
}

type Heard = ReadonlyMap<PartyIndex, ReadonlyMap<string, KeyHolding>>;

const heldBy = (keys: ReadonlyMap<string, KeyHolding>, keyId: string): HeldEpoch => {
  const key = keys.get(keyId);
  return { epoch: key?.state === "active" ? key.epoch : 0, pending: key?.next ?? [] };
};

/** An epoch that t signers name is genuine, because at most t-1 signers lie. */
const epochOf = (held: readonly HeldEpoch[], threshold: number): number => {
  const epochs = held.map(({ epoch }) => epoch);
  const shared = epochs.filter(
    (epoch) => epoch > 0 && epochs.filter((other) => other === epoch).length >= threshold,
  );
  return Math.max(...(shared.length > 0 ? shared : epochs));
};

/** The public key that most of the signers name; fewer than t signers lie. */
const mostNamed = (said: readonly string[]): string => {
  const timesOf = (name: string): number => said.filter((each) => each === name).length;
  return said.reduce((most, name) => (timesOf(name) > timesOf(most) ? name : most));
};

/**
 * Determines the state of every key that is active at any signer; keys still being generated are left out.
 *
 * @param heard the entries of each signer, by key id: all of them, or that of one key
 * @param which "settled": without keys that some signer is still generating; "all": every key that at least t signers
 * hold, whatever the others report
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
