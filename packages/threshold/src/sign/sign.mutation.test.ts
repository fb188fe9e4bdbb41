import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, it } from "vitest";
import { scalarCodec } from "../codec.ts";
import { multiplyBase, ORDER, sampleScalar } from "../group.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecurePresignatures } from "../testing/insecure-presignatures.ts";
import { mutationsOf } from "../testing/mutation/mutations.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { SIGNING_ROUND } from "./round1.ts";
import { startSigning } from "./sign.ts";
import { isSignatureOf, type Signature } from "./signature.ts";

const entropy = seededEntropy("signing");
const [key, gamma] = [sampleScalar(entropy), sampleScalar(entropy)];
const signers = testParties(3);
const digest = sha256(new TextEncoder().encode("pay Bob one ether"));

const { messages, unaccounted, ending } = mutationsOf<Signature>({
  name: "signing",
  parties: signers,
  cheat: testParty(2),
  start: ({ self, session }) => {
    const presignature = insecurePresignatures({ session, signers, key, gamma }).get(self);
    if (presignature === undefined) throw new RangeError("the dealer leaves nobody out");
    return startSigning({ self, presignature, digest });
  },
  messages: [{ round: SIGNING_ROUND, kind: "broadcast", codec: scalarCodec }],
  flawOf: (outputs) =>
    [...outputs.values()].every((signature) => isSignatureOf(multiplyBase(key), digest, signature))
      ? undefined
      : "not a signature",
  integers: new Map([["q", ORDER]]),
});

describe.each(messages)("INV-7 signing, a message of %s", (_, mutations) => {
  it.each(mutations)("%s", (_, violations) => {
    expect(violations()).toEqual([]);
  });
});

it("signing sends nothing that is not mutated, and ends well when nobody lies", () => {
  expect(unaccounted).toEqual([]);
  expect(ending).toEqual([]);
});
