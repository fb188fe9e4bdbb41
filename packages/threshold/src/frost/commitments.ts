import { concatBytes } from "@noble/curves/utils.js";
import { type GroupPoint, sumOf } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { Ciphersuite } from "./ciphersuite.ts";

/** The nonce commitments of a signer for one signature: D = d·G and E = e·G. */
export interface Commitment<P> {
  readonly party: PartyIndex;
  /** D */
  readonly hiding: P;
  /** E */
  readonly binding: P;
}

/** The commitments of all signers, ascending: RFC 9591's commitment_list. */
export type CommitmentList<P> = readonly Commitment<P>[];

/** encode_group_commitment_list: RFC 9591, section 4.3. */
const encodeList = <P extends GroupPoint<P>>(
  { curve, scalarBytes }: Ciphersuite<P>,
  list: CommitmentList<P>,
): Uint8Array => {
  const points = curve.normalise(list.flatMap(({ hiding, binding }) => [hiding, binding]));
  const bytes = points.map((point) => point.toBytes());
  return concatBytes(
    ...list.flatMap(({ party }, at) => [scalarBytes(BigInt(party)), ...bytes.slice(2 * at, 2 * at + 2)]),
  );
};

/** ρ_j of every signer, in the order of the list: RFC 9591, section 4.4. */
export const bindingFactors = <P extends GroupPoint<P>>(
  suite: Ciphersuite<P>,
  publicKey: P,
  list: CommitmentList<P>,
  message: Uint8Array,
): readonly bigint[] => {
  const { h1, h4, h5 } = suite.hashes;
  const prefix = concatBytes(publicKey.toBytes(), h4(message), h5(encodeList(suite, list)));
  return list.map(({ party }) => h1(concatBytes(prefix, suite.scalarBytes(BigInt(party)))));
};

/** R = Σ D_j + ρ_j·E_j: RFC 9591, section 4.5. */
export const groupCommitment = <P extends GroupPoint<P>>(
  { curve }: Ciphersuite<P>,
  list: CommitmentList<P>,
  factors: readonly bigint[],
): P => {
  const hiding = list.map((commitment) => commitment.hiding);
  const binding = list.map((commitment) => commitment.binding);
  return sumOf(curve, hiding).add(curve.combineKnown(binding, factors));
};
