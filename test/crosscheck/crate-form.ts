import type { AuxiliaryInfo, KeyShare, NonceShares, Point, PublicNonceShares } from "@conclave/threshold";

const SCALAR_DIGITS = 64;
const CURVE = "secp256k1";

// Conversions between our types and the crate's serde format: it counts parties from 0, and the share of party i is f(I_i).

export const crateInteger = (value: bigint) => ({ radix: 16, value: value.toString(16) });
export const hexOfScalar = (value: bigint): string => value.toString(16).padStart(SCALAR_DIGITS, "0");
export const numberOfHex = (hex: string): bigint => BigInt(`0x${hex}`);
export const crateScalar = (value: bigint) => ({ curve: CURVE, scalar: hexOfScalar(value) });
export const cratePoint = (point: Point) => ({ curve: CURVE, point: point.toHex(false) });

/** Our key share and auxiliary information as the crate's DirtyKeyShare, which it deserialises without checks. */
export const crateShare = ({ info, self, secretShare }: KeyShare, auxiliary: AuxiliaryInfo) => {
  const { p, q } = auxiliary.own.reveal().paillier.factors;
  const peers = [...auxiliary.peers.values()];
  return {
    core: {
      curve: CURVE,
      i: info.parties.indexOf(self),
      shared_public_key: info.publicKey.toHex(),
      public_shares: [...info.publicShares.values()].map((share) => share.toHex()),
      vss_setup: {
        min_signers: info.threshold,
        I: info.parties.map((party) => hexOfScalar(BigInt(party))),
      },
      x: hexOfScalar(secretShare.reveal()),
    },
    aux: {
      p: crateInteger(p),
      q: crateInteger(q),
      N: peers.map(({ paillier }) => crateInteger(paillier.n)),
      pedersen_params: peers.map(({ pedersen: { n, s, t } }) => ({
        hat_N: crateInteger(n),
        s: crateInteger(s),
        t: crateInteger(t),
      })),
    },
  };
};
export type CrateShare = ReturnType<typeof crateShare>;

/** A signer's part of a presignature. */
export const cratePresignature = (Gamma: Point, { k, chi }: NonceShares) => ({
  Gamma: cratePoint(Gamma),
  tilde_k: crateScalar(k),
  tilde_chi: crateScalar(chi),
});
export type CratePresignature = ReturnType<typeof cratePresignature>;

/** The public part of a signer's share. */
export const crateCommitment = ({ k, chi }: PublicNonceShares) => ({
  k: cratePoint(k),
  chi: cratePoint(chi),
});
export type CrateCommitment = ReturnType<typeof crateCommitment>;
