import { describe, expect, it } from "vitest";
import { decode, fixedBytes, scalarCodecOf } from "../codec.ts";
import { type GroupPoint, multiplyGenerator } from "../curve.ts";
import { COMMITMENT_BYTES } from "../opening.ts";
import { CGGMP24, FROST_ED25519, type Scheme } from "../scheme.ts";
import type { SessionConfig } from "../session/config.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { type Mutations, mutationsOf } from "../testing/mutation/mutations.ts";
import { CONFIRMATION_BYTES, keyConfirmation } from "./confirmation.ts";
import type { KeyShare } from "./key-share.ts";
import { startKeyGeneration } from "./keygen.ts";
import { keyCommitment, keyOpeningCodec } from "./opening.ts";
import type { KeyGenerationRun } from "./run.ts";

const THRESHOLD = 2;

/** The flaw of several parties' shares; undefined when all are of one key, and each fits its party. */
const flawOf = <P extends GroupPoint<P>>(shares: Iterable<KeyShare<P>>): string | undefined => {
  const seen = new Set<string>();
  for (const { info, self, secretShare } of shares) {
    seen.add(keyConfirmation(new Uint8Array(32), info).join());
    const own = multiplyGenerator(info.scheme.curve, secretShare.reveal());
    if (info.publicShares.get(self)?.equals(own) !== true) return "a share that is not its holder's";
  }
  return seen.size > 1 ? "two keys" : undefined;
};

const mutationsUnder = <P extends GroupPoint<P>>(scheme: Scheme<P>): Mutations => {
  const { curve } = scheme;
  const runOf = ({ session, self, parties }: SessionConfig): KeyGenerationRun<P> => ({
    session,
    self,
    parties,
    threshold: THRESHOLD,
    keyId: "key",
    epoch: 0,
    scheme,
  });
  return mutationsOf<KeyShare<P>>({
    name: "key generation",
    parties: testParties(3),
    cheat: testParty(2),
    attempt: { protocol: "key-generation", scheme: scheme.name, keyId: "key", threshold: THRESHOLD },
    start: (config) => startKeyGeneration(runOf(config)),
    messages: [
      { round: 1, kind: "broadcast", codec: fixedBytes(COMMITMENT_BYTES) },
      { round: 2, kind: "broadcast", codec: keyOpeningCodec(curve, THRESHOLD) },
      { round: 2, kind: "direct", codec: scalarCodecOf(curve) },
      { round: 3, kind: "broadcast", codec: scalarCodecOf(curve) },
      { round: 4, kind: "broadcast", codec: fixedBytes(CONFIRMATION_BYTES) },
    ],
    flawOf: (outputs) => flawOf(outputs.values()),
    integers: new Map([["q", curve.order]]),
    committed: {
      round: 2,
      commitmentRound: 1,
      free: ["rid", "mask", "chainCode"],
      commit: (payload, config) => {
        const opening = decode(keyOpeningCodec(curve, THRESHOLD), payload);
        return opening.ok ? keyCommitment(runOf(config), config.self, opening.value) : undefined;
      },
    },
  });
};

const { messages, unaccounted, ending } = mutationsUnder(CGGMP24);

describe.each(messages)("INV-7 key generation, a message of %s", (_, mutations) => {
  it.each(mutations)("%s", (_, violations) => {
    expect(violations()).toEqual([]);
  });
});

it("key generation sends nothing that is not mutated, and ends well when nobody lies", () => {
  expect(unaccounted).toEqual([]);
  expect(ending).toEqual([]);
});

/** Points and scalars of another curve; envelopes and hashes are tested above. */
const ofCurve = /^round (2 broadcast|2 direct|3 broadcast)$/;

describe.each(mutationsUnder(FROST_ED25519).messages.filter(([name]) => ofCurve.test(name)))(
  "INV-7 key generation for Ed25519, a message of %s",
  (_, mutations) => {
    it.each(mutations.filter(([name]) => name.startsWith("whose")))("%s", (_, violations) => {
      expect(violations()).toEqual([]);
    });
  },
);
