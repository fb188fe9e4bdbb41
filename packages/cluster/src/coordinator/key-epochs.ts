import type { PartyIndex } from "@conclave/threshold";
import type { KeyInSession } from "../control/report.ts";
import type { Pair } from "./pairs.ts";

/** For each key, the epoch that each signer of an attempt reported. */
export type EpochsSaid = ReadonlyMap<string, ReadonlyMap<PartyIndex, number>>;

/**
 * Adds a signer's report of its epoch; the first report counts.
 *
 * @param keysMax number of keys that are signed with: a limit, so that false reports cannot grow the map without end
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
 * Pairs of signers in different epochs of a key: their runs have different ids, so they never receive each other's
 * messages, and each would wait until its deadline. Their reports do not show which of the two is behind or lies, so
 * the pair is kept apart.
 */
export const pairsInOtherEpochs = (said: EpochsSaid): readonly Pair[] =>
  [...said.values()].flatMap((epochs) =>
    [...epochs].flatMap(([a, epoch]) =>
      [...epochs].flatMap(([b, other]): readonly Pair[] => (a < b && epoch !== other ? [[a, b]] : [])),
    ),
  );

/**
 * Signers that report an earlier epoch of a key than another: another signer may hold the certificate by which they can
 * switch.
 */
export const behindOthers = (
  said: EpochsSaid,
): readonly { readonly signer: PartyIndex; readonly keyId: string }[] =>
  [...said].flatMap(([keyId, epochs]) => {
    const latest = Math.max(...epochs.values());
    return [...epochs].flatMap(([signer, epoch]) => (epoch < latest ? [{ signer, keyId }] : []));
  });
