import type { PartyIndex } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { HeldAuxiliary } from "./auxiliary.ts";

/** The auxiliary information that t signers report to use. */
export interface Agreement {
  readonly epoch: number;
  /** signers that report another one: they cannot take part in any session that uses this one */
  readonly apart: readonly PartyIndex[];
}

/**
 * The auxiliary info that at least t signers report, the latest of several: at most t-1 lie, so an honest signer is
 * among them, and the info that it uses has the receipts of all. A signer that reports another one is no reason to
 * generate it anew.
 */
export const agreementOf = (
  held: ReadonlyMap<PartyIndex, HeldAuxiliary>,
  threshold: number,
): Agreement | undefined => {
  const groups = new Map<string, readonly PartyIndex[]>();
  for (const [index, { epoch, digest }] of held) {
    if (epoch === 0) continue;
    const name = `${epoch}/${bytesToHex(digest)}`;
    groups.set(name, [...(groups.get(name) ?? []), index]);
  }
  const epochOf = ([first]: readonly PartyIndex[]): number =>
    first === undefined ? 0 : (held.get(first)?.epoch ?? 0);
  const [best] = [...groups.values()]
    .filter((members) => members.length >= threshold)
    .sort((one, other) => epochOf(other) - epochOf(one));
  if (best === undefined) return undefined;
  return { epoch: epochOf(best), apart: [...held.keys()].filter((index) => !best.includes(index)) };
};
