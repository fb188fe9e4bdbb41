import {
  type Codec,
  convert,
  countedList,
  encode,
  pointCodecOf,
  struct,
  uint,
  variableBytes,
} from "../codec.ts";
import type { Curve, GroupPoint } from "../curve.ts";
import { PARTIES_MAX, type PartyIndex, partyIndex } from "../fault.ts";
import { type Material, NO_MATERIAL } from "../session/material.ts";
import type { ImportAssignment } from "./assignment.ts";
import type { ParsedShare } from "./plaintext.ts";
import type { ImportRun } from "./run.ts";
import type { PublicEntry } from "./statement.ts";

/** The terms of an import that a third party needs; every signer signed digests of them. They hold no secret. */
export interface ImportTerms<P extends GroupPoint<P>> extends PublicEntry<P> {
  readonly assignment: ImportAssignment;
}

const CHAIN_CODE_BYTES = 32;

interface StoredTerms<P> {
  readonly positions: readonly { readonly party: number; readonly position: number }[];
  readonly publicShares: readonly P[];
  readonly chainCode: Uint8Array;
}

const parse = <P extends GroupPoint<P>>({
  positions,
  publicShares,
  chainCode,
}: StoredTerms<P>): ImportTerms<P> | undefined => {
  const assignment = new Map<PartyIndex, number>();
  let previous = 0;
  for (const { party, position } of positions) {
    const index = partyIndex(party);
    if (index === undefined || index <= previous) return undefined;
    assignment.set(index, position);
    previous = index;
  }
  if (chainCode.length === 0) return { assignment, publicShares, chainCode: undefined };
  return chainCode.length === CHAIN_CODE_BYTES ? { assignment, publicShares, chainCode } : undefined;
};

export const importTermsCodec = <P extends GroupPoint<P>>(curve: Curve<P>): Codec<ImportTerms<P>> =>
  convert(
    struct<StoredTerms<P>>({
      positions: countedList(struct({ party: uint(1), position: uint(1) }), PARTIES_MAX),
      publicShares: countedList(pointCodecOf(curve), PARTIES_MAX),
      chainCode: variableBytes(CHAIN_CODE_BYTES),
    }),
    parse,
    ({ assignment, publicShares, chainCode }) => ({
      positions: [...assignment].map(([party, position]) => ({ party, position })),
      publicShares,
      chainCode: chainCode ?? new Uint8Array(0),
    }),
    "not the terms of an import",
  );

/** The terms of which the import's signers signed digests; none when our own entry was unreadable. */
export const importMaterial = <P extends GroupPoint<P>>(
  { assignment, scheme }: ImportRun<P>,
  entry: ParsedShare<P>,
): Material => {
  if (!entry.ok) return NO_MATERIAL;
  const { publicShares, chainCode } = entry.share;
  return {
    ...NO_MATERIAL,
    message: encode(importTermsCodec(scheme.curve), { assignment, publicShares, chainCode }),
  };
};
