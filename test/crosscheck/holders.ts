import { randomBytes } from "node:crypto";
import {
  type AuxiliaryInfo,
  type AuxiliaryPrimes,
  CGGMP24,
  type KeyShare,
  type Parameters,
  type PartyIndex,
  type Presignature,
  type PublicKeyInfo,
  type Secret,
  type Signature,
  type Start,
  startAuxiliaryGeneration,
  startKeyGeneration,
  startPresigning,
  startSigning,
} from "@conclave/threshold";
import { type Mutate, outputsOf, runLockstep, testParties, testSessionId } from "@conclave/threshold/testing";
import { type CrateShare, crateShare } from "./crate-form.ts";

const HOLDERS = 5;
const THRESHOLD = 3;

export const PARTIES: readonly PartyIndex[] = testParties(HOLDERS);

/** A holder of a share, with its share in the crate's form. */
export interface Holder {
  readonly key: KeyShare;
  readonly auxiliary: AuxiliaryInfo;
  readonly share: CrateShare;
}

/** A key with all its holders. */
export interface Holders {
  readonly info: PublicKeyInfo;
  readonly byParty: ReadonlyMap<PartyIndex, Holder>;
}

/** The item of a party. @throws RangeError if there is none */
export const itemOf = <T>(items: ReadonlyMap<PartyIndex, T>, party: PartyIndex): T => {
  const item = items.get(party);
  if (item === undefined) throw new RangeError(`party ${party} takes no part`);
  return item;
};

/** The first item. @throws RangeError if there is none */
export const firstOf = <T>(items: Iterable<T>): T => {
  for (const item of items) return item;
  throw new RangeError("there is no first item");
};

/** Runs one of our protocols in this process, with real randomness. */
const run = <Output>(
  parties: readonly PartyIndex[],
  startOf: (self: PartyIndex) => Start<Output>,
  mutate: Mutate = ({ payload }) => payload,
): ReadonlyMap<PartyIndex, Output> => {
  const starts = new Map(parties.map((self) => [self, startOf(self)]));
  return outputsOf(runLockstep({ starts, entropy: () => (length) => randomBytes(length), mutate }));
};

/** Generates a key with threshold three of five. */
export const generateKey = (keyId: string): ReadonlyMap<PartyIndex, KeyShare> => {
  const config = { session: testSessionId(keyId), parties: PARTIES, threshold: THRESHOLD, keyId, epoch: 0 };
  return run(PARTIES, (self) => startKeyGeneration({ ...config, self, scheme: CGGMP24 }));
};

/** Makes the holders of a key by key generation, and by auxiliary generation with these primes, which it consumes. */
export const makeHolders = (
  parameters: Parameters,
  primes: ReadonlyMap<PartyIndex, Secret<AuxiliaryPrimes>>,
): Holders => {
  const keys = generateKey("the key");
  const config = { session: testSessionId("auxiliary"), parties: PARTIES, epoch: 0, parameters };
  const auxiliary = run(PARTIES, (self) =>
    startAuxiliaryGeneration({ ...config, self, primes: itemOf(primes, self) }),
  );
  const { info } = firstOf(keys.values());
  const byParty = new Map(
    PARTIES.map((party) => {
      const [key, own] = [itemOf(keys, party), itemOf(auxiliary, party)];
      return [party, { key, auxiliary: own, share: crateShare(key, own) }];
    }),
  );
  return { info, byParty };
};

/** All sets of three of the five, each in ascending order. */
export const QUORUMS: readonly (readonly PartyIndex[])[] = PARTIES.flatMap((first, i) =>
  PARTIES.slice(i + 1).flatMap((second, j) =>
    PARTIES.slice(i + j + 2).map((third) => [first, second, third]),
  ),
);

/** Presigns with our library. */
export const presignByUs = (
  { byParty }: Holders,
  signers: readonly PartyIndex[],
): ReadonlyMap<PartyIndex, Presignature> => {
  const session = testSessionId(`presigning of ${signers.join()}`);
  return run(signers, (self) => {
    const { key, auxiliary } = itemOf(byParty, self);
    return startPresigning({ session, self, signers, key, auxiliary });
  });
};

/** Our signers' partial signatures, and the signature. */
export interface OurSignature {
  /** the bytes that each signer sent, hex, in the order of the signers */
  readonly partials: readonly string[];
  /** the signature, which each signer verified */
  readonly signature: Signature;
}

/** Signs with our library. Consumes the secrets of the presignatures. */
export const signByUs = (
  presignatures: ReadonlyMap<PartyIndex, Presignature>,
  digest: Uint8Array,
): OurSignature => {
  const sent = new Map<PartyIndex, string>();
  const outputs = run(
    [...presignatures.keys()],
    (self) => startSigning({ self, presignature: itemOf(presignatures, self), digest }),
    ({ from, payload }) => {
      sent.set(from, Buffer.from(payload).toString("hex"));
      return payload;
    },
  );
  const partials = [...presignatures.keys()].map((party) => itemOf(sent, party));
  return { partials, signature: firstOf(outputs.values()) };
};

/** A quorum's signers by the crate's indices. */
export const crateQuorum = ({ byParty }: Holders, signers: readonly PartyIndex[]) => ({
  shares: signers.map((signer) => itemOf(byParty, signer).share),
  signers: signers.map((signer) => PARTIES.indexOf(signer)),
});
