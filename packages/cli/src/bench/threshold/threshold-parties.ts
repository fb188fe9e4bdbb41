import { randomBytes } from "node:crypto";
import { makeAuxiliaryPrimes } from "@conclave/platform/primes";
import {
  type AuxiliaryInfo,
  type AuxiliaryPrimes,
  DIGEST_BYTES,
  type GroupPoint,
  type KeyShare,
  type PartyIndex,
  PRODUCTION_PARAMETERS,
  type Presignature,
  type PresignMasks,
  partyIndex,
  type Scheme,
  SESSION_ID_BYTES,
  type Secret,
  type SessionId,
  type Signature,
  type Start,
  startAuxiliaryGeneration,
  startKeyGeneration,
  startPresigning,
  startSigning,
} from "@conclave/threshold";
import { type ProtocolRun, runProtocol } from "./protocol-run.ts";

const EPOCH = 0;

export const benchParties = (count: number): readonly PartyIndex[] =>
  Array.from({ length: count }, (_, position) => {
    const party = partyIndex(position + 1);
    if (party === undefined) throw new RangeError(`${count} parties are too many`);
    return party;
  });

const freshSession = (): SessionId => Uint8Array.from(randomBytes(SESSION_ID_BYTES));

const of = <T>(from: ReadonlyMap<PartyIndex, T>, self: PartyIndex): T => {
  const found = from.get(self);
  if (found === undefined) throw new Error(`party ${self} is missing`);
  return found;
};

const run = <Output>(
  parties: readonly PartyIndex[],
  startOf: (self: PartyIndex) => Start<Output>,
): ProtocolRun<Output> => runProtocol(new Map(parties.map((self) => [self, startOf(self)])));

export type Primes = ReadonlyMap<PartyIndex, Secret<AuxiliaryPrimes>>;

/** Makes full-size primes for every party, in parallel. */
export const makePrimes = async (
  parties: readonly PartyIndex[],
  onMade: (made: number) => void,
): Promise<Primes> => {
  const primes = new Map<PartyIndex, Secret<AuxiliaryPrimes>>();
  const make = async (self: PartyIndex): Promise<void> => {
    primes.set(self, await makeAuxiliaryPrimes(PRODUCTION_PARAMETERS));
    onMade(primes.size);
  };
  await Promise.all(parties.map(make));
  return primes;
};

/** Runs auxiliary generation at full size with the given primes. */
export const runAuxiliaryGeneration = (
  parties: readonly PartyIndex[],
  primes: Primes,
): ProtocolRun<AuxiliaryInfo> => {
  const session = freshSession();
  const parameters = PRODUCTION_PARAMETERS;
  return run(parties, (self) =>
    startAuxiliaryGeneration({ session, self, parties, epoch: EPOCH, parameters, primes: of(primes, self) }),
  );
};

export const runKeyGeneration = <P extends GroupPoint<P>>(
  parties: readonly PartyIndex[],
  threshold: number,
  scheme: Scheme<P>,
): ProtocolRun<KeyShare<P>> => {
  const session = freshSession();
  const keyId = `bench-${threshold}-of-${parties.length}`;
  return run(parties, (self) =>
    startKeyGeneration({ session, self, parties, threshold, keyId, epoch: EPOCH, scheme }),
  );
};

export const runPresigning = (
  signers: readonly PartyIndex[],
  keys: ReadonlyMap<PartyIndex, KeyShare>,
  auxiliary: ReadonlyMap<PartyIndex, AuxiliaryInfo>,
  masks: ReadonlyMap<PartyIndex, PresignMasks> = new Map(),
): ProtocolRun<Presignature> => {
  const session = freshSession();
  return run(signers, (self) => {
    const made = masks.get(self);
    const ahead = made === undefined ? {} : { masks: made };
    return startPresigning({
      session,
      self,
      signers,
      key: of(keys, self),
      auxiliary: of(auxiliary, self),
      ...ahead,
    });
  });
};

/** Runs the online round, which uses up each presignature. */
export const runSigning = (presignatures: ReadonlyMap<PartyIndex, Presignature>): ProtocolRun<Signature> => {
  const digest = Uint8Array.from(randomBytes(DIGEST_BYTES));
  return run(
    [...presignatures.keys()],
    (self) => (entropy) => startSigning({ self, presignature: of(presignatures, self), digest })(entropy),
  );
};
