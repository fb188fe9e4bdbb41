import { fail, ok, type Result } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { quarantinedOf } from "../quarantine/quarantine.ts";
import { storedKey } from "../records/key-records.ts";
import type { AuxiliaryRecord, KeyRecord } from "../records/record.ts";
import type { SignerState } from "../state.ts";

/** What presigning starts from. */
interface PresigningMaterial {
  readonly key: KeyRecord;
  readonly auxiliary: AuxiliaryRecord;
}

/** The active share of an ECDSA key, and the auxiliary information; KeyUnknown, KeySchemeMismatch or AuxiliaryMissing. */
export const materialFor = (state: SignerState, keyId: string): Result<PresigningMaterial> => {
  const key = storedKey(state, keyId);
  if (key?.state !== "active") return fail("KeyUnknown");
  if (key.scheme !== "CGGMP24") return fail("KeySchemeMismatch");
  return state.auxiliary === undefined ? fail("AuxiliaryMissing") : ok({ key, auxiliary: state.auxiliary });
};

/** Exactly t distinct members of the roster, ascending, ourselves among them, none in quarantine. */
export const quorumOf = (state: SignerState, asked: readonly number[]): Result<readonly PartyIndex[]> => {
  const { config } = state;
  const members = [...config.roster.keys()].filter((index) => asked.includes(index)).sort((a, b) => a - b);
  const isExact = asked.length === config.threshold && members.every((index, at) => asked[at] === index);
  if (!isExact || members.length !== config.threshold || !members.includes(config.self)) {
    return fail("QuorumInvalid");
  }
  const blamed = quarantinedOf(state, members);
  return blamed === undefined ? ok(members) : fail("PeerFault", { culprit: blamed });
};
