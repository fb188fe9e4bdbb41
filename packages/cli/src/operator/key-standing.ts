import type { HeldEpoch } from "@conclave/cluster";
import type { SignerStatus } from "@conclave/platform";
import type { PartyIndex } from "@conclave/threshold";

/** The state of one key at all signers. */
export interface KeyStanding {
  readonly keyId: string;
  /** lower-case hex */
  readonly publicKey: string;
  /** the highest epoch that is active at any signer */
  readonly epoch: number;
  readonly held: ReadonlyMap<PartyIndex, HeldEpoch>;
  /** signers without an active share of that epoch, ascending */
  readonly lacking: readonly PartyIndex[];
  /** whether these signers hold their share of that epoch and only have to activate it, because a change was interrupted */
  readonly isHalfActive: boolean;
}

type Heard = ReadonlyMap<PartyIndex, Pick<SignerStatus, "keys" | "next">>;

const heldBy = ({ keys, next }: Pick<SignerStatus, "keys" | "next">, keyId: string): HeldEpoch => {
  const active = keys.find((key) => key.keyId === keyId && key.state === "active");
  const waiting = next.find((share) => share.keyId === keyId);
  const epoch = active?.epoch ?? 0;
  return waiting === undefined ? { epoch } : { epoch, next: waiting };
};

/** Determines the state of every key that is active at any signer; keys that are still being made are left out. */
export const keyStandings = (heard: Heard): readonly KeyStanding[] => {
  const publicKeys = new Map<string, string>();
  const beingMade = new Set<string>();
  for (const { keys } of heard.values()) {
    for (const { keyId, state, publicKey } of keys) {
      if (state === "active") publicKeys.set(keyId, Buffer.from(publicKey).toString("hex"));
      else beingMade.add(keyId);
    }
  }
  const settled = [...publicKeys].filter(([keyId]) => !beingMade.has(keyId));
  return settled.map(([keyId, publicKey]) => {
    const held = new Map([...heard].map(([index, status]) => [index, heldBy(status, keyId)]));
    const epoch = Math.max(...[...held.values()].map((each) => each.epoch));
    const behind = [...held].filter(([, each]) => each.epoch < epoch);
    return {
      keyId,
      publicKey,
      epoch,
      held,
      lacking: behind.map(([index]) => index).sort((a, b) => a - b),
      isHalfActive: behind.length > 0 && behind.every(([, { next }]) => next?.epoch === epoch),
    };
  });
};
