import type { Violation } from "./violation.ts";

/** A share of a key that a process took or made. */
export interface DecodedShare {
  /** virtual milliseconds since the beginning */
  readonly atMs: number;
  readonly process: string;
  readonly keyId: string;
  /** the party of the share */
  readonly party: number;
  readonly threshold: number;
}

/** INV-1: no process ever has t shares of one key. @returns judges each share as a process decodes it */
export const fewSharesEach = (): ((share: DecodedShare) => readonly Violation[]) => {
  const held = new Map<string, Set<number>>();
  return ({ atMs, process, keyId, party, threshold }) => {
    const name = `${process}/${keyId}`;
    const parties = held.get(name) ?? new Set<number>();
    held.set(name, parties);
    if (parties.has(party)) return [];
    parties.add(party);
    return parties.size === threshold
      ? [{ invariant: "INV-1", words: `${process} had ${threshold} shares of ${keyId}`, atMs }]
      : [];
  };
};
