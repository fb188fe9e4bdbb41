import type { PartyIndex } from "../fault.ts";
import { invertScalar, multiply, multiplyBase, sampleScalar, scalar } from "../group.ts";
import type { NonceShares, Presignature } from "../presign/presignature.ts";
import { Secret } from "../secret.ts";
import type { SessionId } from "../session/envelope.ts";
import { seededEntropy } from "./seeded-entropy.ts";

/** The inputs of a dealer of presignatures, which knows the whole key and the whole nonce. */
interface DealtNonce {
  readonly session: SessionId;
  readonly signers: readonly PartyIndex[];
  /** x */
  readonly key: bigint;
  /** γ */
  readonly gamma: bigint;
}

/**
 * INSECURE: the presignatures of all signers, by a dealer that knows x and γ; it always splits the same nonce
 * in the same way.
 */
export const insecurePresignatures = ({
  session,
  signers,
  key,
  gamma,
}: DealtNonce): ReadonlyMap<PartyIndex, Presignature> => {
  const entropy = seededEntropy(`presignatures/${gamma}`);
  const split = (total: bigint): readonly bigint[] => {
    const parts = signers.slice(1).map(() => sampleScalar(entropy));
    return [...parts, scalar(parts.reduce((rest, part) => rest - part, total))];
  };
  const inverse = invertScalar(gamma);
  const [ks, chis] = [split(inverse), split(inverse * key)];
  const shares = new Map<PartyIndex, NonceShares>(
    signers.map((signer, at) => [signer, { k: ks[at] ?? 0n, chi: chis[at] ?? 0n }]),
  );
  const Gamma = multiplyBase(gamma);
  const publics = new Map(
    [...shares].map(([signer, { k, chi }]) => [signer, { k: multiply(Gamma, k), chi: multiply(Gamma, chi) }]),
  );
  const common = {
    session,
    signers,
    keyId: "key",
    epoch: 0,
    publicKey: multiplyBase(key),
    Gamma,
    publics,
    testimony: [],
  };
  return new Map(
    [...shares].map(([self, secret]) => [self, { ...common, self, secret: new Secret(secret) }]),
  );
};
