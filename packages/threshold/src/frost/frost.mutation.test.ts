import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, it } from "vitest";
import { scalarCodecOf } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import { FROST_ED25519, FROST_TAPROOT, type Scheme } from "../scheme.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { type Mutations, mutationsOf } from "../testing/mutation/mutations.ts";
import { startFrostSigning } from "./frost-signing.ts";
import { commitmentMessageCodec } from "./round1.ts";

const signers = testParties(3);
const message = new TextEncoder().encode("pay Bob one bitcoin");

const mutationsUnder = <P extends GroupPoint<P>>(scheme: Scheme<P>, merkleRoot?: Uint8Array): Mutations => {
  const { curve, frost } = scheme;
  const shares = insecureSchemeShares(scheme, signers.length, signers);
  const { info } = shares.get(testParty(1)) ?? expect.fail("the dealer leaves nobody out");
  const isSignature = (signature: Uint8Array): boolean =>
    [...shares.values()].every(({ info }) => {
      const key = frost?.signingKey(info.publicKey, merkleRoot).publicKey;
      return key !== undefined && frost?.verify(signature, message, frost.pointBytes(key)) === true;
    });
  const tweak = merkleRoot === undefined ? {} : { merkleRoot };
  return mutationsOf<Uint8Array>({
    name: "FROST",
    parties: signers,
    cheat: testParty(2),
    attempt: {
      protocol: "signing",
      scheme: scheme.name,
      threshold: signers.length,
      agreed: [
        new Uint8Array(32),
        Uint8Array.of(0),
        keyDigest(info),
        sha256(message),
        ...Object.values(tweak),
      ],
    },
    start: ({ session, self }) => {
      const key = shares.get(self) ?? expect.fail("the dealer leaves nobody out");
      return startFrostSigning({ session, self, signers, key, message, ...tweak });
    },
    messages: [
      { round: 1, kind: "broadcast", codec: commitmentMessageCodec(curve) },
      { round: 2, kind: "broadcast", codec: scalarCodecOf(curve) },
    ],
    flawOf: (outputs) => ([...outputs.values()].every(isSignature) ? undefined : "not a signature"),
    integers: new Map([["q", curve.order]]),
    spends: true, // nonces sign for only one list of commitments
  });
};

const { messages, unaccounted, ending } = mutationsUnder(FROST_ED25519);

describe.each(messages)("INV-7 FROST for Ed25519, a message of %s", (_, mutations) => {
  it.each(mutations)("%s", (_, violations) => {
    expect(violations()).toEqual([]);
  });
});

it("FROST sends nothing that is not mutated, and ends well when nobody lies", () => {
  expect(unaccounted).toEqual([]);
  expect(ending).toEqual([]);
});

/** Points and scalars of another curve, and a tweaked key; envelopes and hashes are tested above. */
const ofCurve = mutationsUnder(FROST_TAPROOT, new Uint8Array(32).fill(7)).messages.filter(([name]) =>
  name.endsWith("broadcast"),
);

describe.each(ofCurve)("INV-7 FROST for Taproot, a message of %s", (_, mutations) => {
  it.each(mutations.filter(([name]) => name.startsWith("whose")))("%s", (_, violations) => {
    expect(violations()).toEqual([]);
  });
});
