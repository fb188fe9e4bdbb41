import { fail, ok, type Problem, problem, type Result } from "@conclave/custody";
import { holdersOfShare, type KeyHolders, type PartyIndex } from "@conclave/threshold";
import { allParties } from "../config.ts";
import { whyInDoubt } from "../older-store/key-in-doubt.ts";
import { quarantinedOf } from "../quarantine/quarantine.ts";
import { isHandedOver, storedKey } from "../records/key-records.ts";
import type { AuxiliaryRecord, KeyRecord } from "../records/record.ts";
import type { SignerState } from "../state.ts";

/** The stored values that a presigning needs. */
interface PresigningMaterial {
  readonly key: KeyRecord;
  readonly auxiliary: AuxiliaryRecord;
}

/**
 * The active share of an ECDSA key, and the auxiliary information; otherwise KeyUnknown, the reason not to sign with
 * the key, KeySchemeMismatch or AuxiliaryMissing.
 */
export const materialFor = (state: SignerState, keyId: string): Result<PresigningMaterial> => {
  const key = storedKey(state, keyId);
  if (key?.state !== "active") return fail("KeyUnknown");
  const reason = whyNotSignWith(state, key);
  if (reason !== undefined) return { ok: false, problem: reason };
  if (key.scheme !== "CGGMP24") return fail("KeySchemeMismatch");
  return state.auxiliary === undefined ? fail("AuxiliaryMissing") : ok({ key, auxiliary: state.auxiliary });
};

/** The reason why this signer signs nothing with an active share (INV-4); undefined when it does. */
export const whyNotSignWith = (state: SignerState, key: KeyRecord): Problem | undefined =>
  isHandedOver(key) ? problem("KeyHandedOver") : whyInDoubt(state, key);

/** The holders of a key of which this signer has a share: while members change, each key has its own. */
export const holdersOfKey = ({ scheme, share }: KeyRecord): KeyHolders =>
  holdersOfShare(scheme, share.reveal());

/**
 * The quorum: exactly t distinct holders of each of the keys, ascending, all of the roster, including this signer, none
 * in quarantine.
 *
 * @param keys at least one
 */
export const quorumOf = (
  state: SignerState,
  asked: readonly number[],
  keys: readonly KeyRecord[],
): Result<readonly PartyIndex[]> => {
  const { config } = state;
  const members = allParties(config).filter((index) => asked.includes(index));
  const isExact = asked.length === members.length && members.every((index, at) => asked[at] === index);
  const isQuorum = keys
    .map(holdersOfKey)
    .every(
      ({ threshold, parties }) =>
        members.length === threshold && members.every((index) => parties.includes(index)),
    );
  if (!isExact || !isQuorum || !members.includes(config.self)) return fail("QuorumInvalid");
  const blamed = quarantinedOf(state, members);
  return blamed === undefined ? ok(members) : fail("PeerFault", { culprit: blamed });
};
