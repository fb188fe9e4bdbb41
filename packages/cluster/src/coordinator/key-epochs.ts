import type { PartyIndex } from "@conclave/threshold";
import type { KeyInSession } from "../control/report.ts";
import type { Pair } from "./pairs.ts";

/** In which epoch of each key the signers of an attempt said that they work. */
export type EpochsSaid = ReadonlyMap<string, ReadonlyMap<PartyIndex, number>>;

/**
 * Notes what a signer says; what it says first counts.
 *
 * @param keysMax keys that are signed with, so that nobody's claims grow without end
 */
export const hearEpoch = (
  said: EpochsSaid,
  signer: PartyIndex,
  { keyId, epoch }: KeyInSession,
  keysMax: number,
): EpochsSaid => {
  const known = said.get(keyId);
  if (known?.has(signer) === true || (known === undefined && said.size >= keysMax)) return said;
  return new Map(said).set(keyId, new Map(known).set(signer, epoch));
};

/**
 * Signers that work in different epochs of a key: their runs have different ids, so they never hear each other, and each
 * would wait until its deadline. Which of two is behind, and which lies, their word does not tell: they are kept apart.
 */
export const pairsInOtherEpochs = (said: EpochsSaid): readonly Pair[] =>
  [...said.values()].flatMap((epochs) =>
    [...epochs].flatMap(([a, epoch]) =>
      [...epochs].flatMap(([b, other]): readonly Pair[] => (a < b && epoch !== other ? [[a, b]] : [])),
    ),
  );

/** Signers that say an earlier epoch of a key than another: somebody may hold the certificate that brings them on. */
export const behindOthers = (
  said: EpochsSaid,
): readonly { readonly signer: PartyIndex; readonly keyId: string }[] =>
  [...said].flatMap(([keyId, epochs]) => {
    const latest = Math.max(...epochs.values());
    return [...epochs].flatMap(([signer, epoch]) => (epoch < latest ? [{ signer, keyId }] : []));
  });
