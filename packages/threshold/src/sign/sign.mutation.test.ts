import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, it } from "vitest";
import { scalarCodec } from "../codec.ts";
import { ORDER } from "../group.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { mutationsOf } from "../testing/mutation/mutations.ts";
import { testifiedPresignatures } from "../testing/testified-presignatures.ts";
import { SIGNING_ROUND } from "./round1.ts";
import { startSigning } from "./sign.ts";
import { isSignatureOf, type Signature } from "./signature.ts";

const signers = testParties(3);
const { presignatures, publicKey, id } = testifiedPresignatures(signers);
const digest = sha256(new TextEncoder().encode("pay Bob one ether"));

const { messages, unaccounted, ending } = mutationsOf<Signature>({
  name: "signing",
  parties: signers,
  cheat: testParty(2),
  attempt: {
    protocol: "pooled-signing",
    threshold: signers.length,
    agreed: [new Uint8Array(32), Uint8Array.of(0), new Uint8Array(32), digest, new Uint8Array(32), id],
  },
  start: ({ self }) => startSigning({ self, presignature: presignatures(self), digest }),
  messages: [{ round: SIGNING_ROUND, kind: "broadcast", codec: scalarCodec }],
  flawOf: (outputs) =>
    [...outputs.values()].every((signature) => isSignatureOf(publicKey, digest, signature))
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
