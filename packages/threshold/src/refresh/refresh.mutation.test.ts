import { numberToBytesBE } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { EPOCH_BYTES } from "../blame/agreed-values.ts";
import { decode, fixedBytes, scalarCodecOf } from "../codec.ts";
import { type EdwardsPoint, multiplyGenerator } from "../curve.ts";
import { CONFIRMATION_BYTES } from "../keygen/confirmation.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import { COMMITMENT_BYTES } from "../opening.ts";
import { schnorrCodec } from "../proofs/schnorr.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import { dealingCommitment, dealingOpeningCodec } from "../redistribution/messages.ts";
import { FROST_ED25519 } from "../scheme.ts";
import type { SessionConfig } from "../session/config.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { mutationsOf } from "../testing/mutation/mutations.ts";
import { type RefreshConfig, refreshRun, startRefresh } from "./refresh.ts";

const THRESHOLD = 2;

/** The flaw of several parties' shares; undefined when all are of one epoch of one key, and each fits its party. */
const flawOf = (shares: Iterable<KeyShare<EdwardsPoint>>): string | undefined => {
  const seen = new Set<string>();
  for (const { info, self, secretShare } of shares) {
    seen.add(keyDigest(info).join());
    const own = multiplyGenerator(info.scheme.curve, secretShare.reveal());
    if (info.publicShares.get(self)?.equals(own) !== true) return "a share that is not its holder's";
  }
  return seen.size > 1 ? "two epochs" : undefined;
};

const { curve } = FROST_ED25519;
const parties = testParties(3);
const shares = insecureSchemeShares(FROST_ED25519, THRESHOLD, parties);
/** not the old epoch plus 1: failed attempts used that up */
const NEXT_EPOCH = 7;
const configOf = ({ session, self }: SessionConfig): RefreshConfig<EdwardsPoint> => ({
  session,
  key: shares.get(self) ?? expect.fail(`party ${self} holds no share`),
  nextEpoch: NEXT_EPOCH,
});

// reshare.mutation.test.ts in ../reshare covers secp256k1, and parties that only deal or only receive
const { messages, unaccounted, ending } = mutationsOf<KeyShare<EdwardsPoint>>({
  name: "refresh",
  parties,
  cheat: testParty(2),
  attempt: {
    protocol: "key-refresh",
    scheme: FROST_ED25519.name,
    threshold: THRESHOLD,
    agreed: [
      keyDigest(shares.get(testParty(1))?.info ?? expect.fail("party 1 holds a share")),
      numberToBytesBE(NEXT_EPOCH, EPOCH_BYTES),
    ],
  },
  start: (config) => startRefresh(configOf(config)),
  messages: [
    { round: 1, kind: "broadcast", codec: fixedBytes(COMMITMENT_BYTES) },
    { round: 2, kind: "broadcast", codec: dealingOpeningCodec(curve, THRESHOLD) },
    { round: 2, kind: "direct", codec: scalarCodecOf(curve) },
    { round: 3, kind: "broadcast", codec: schnorrCodec(curve) },
    { round: 4, kind: "broadcast", codec: fixedBytes(CONFIRMATION_BYTES) },
  ],
  flawOf: (outputs) => flawOf(outputs.values()),
  integers: new Map([["q", curve.order]]),
  committed: {
    round: 2,
    commitmentRound: 1,
    free: ["mask"],
    commit: (payload, config) => {
      const opening = decode(dealingOpeningCodec(curve, THRESHOLD), payload);
      return opening.ok
        ? dealingCommitment(refreshRun(configOf(config)), config.self, opening.value)
        : undefined;
    },
  },
});

describe.each(messages)("INV-7 refresh: a message of %s", (_, mutations) => {
  it.each(mutations)("%s", (_, violations) => {
    expect(violations()).toEqual([]);
  });
});

it("a refresh sends nothing that is not mutated, and ends well when nobody lies", () => {
  expect(unaccounted).toEqual([]);
  expect(ending).toEqual([]);
});
