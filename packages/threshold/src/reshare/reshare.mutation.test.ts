import { numberToBytesBE } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { EPOCH_BYTES, partiesMask } from "../blame/agreed-values.ts";
import { decode, fixedBytes, scalarCodecOf } from "../codec.ts";
import { multiplyGenerator, type Point } from "../curve.ts";
import { CONFIRMATION_BYTES } from "../keygen/confirmation.ts";
import { COMMITMENT_BYTES } from "../opening.ts";
import { schnorrCodec } from "../proofs/schnorr.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import { dealingCommitment, dealingOpeningCodec } from "../redistribution/messages.ts";
import type { Redistributed } from "../redistribution/run.ts";
import { CGGMP24 } from "../scheme.ts";
import type { SessionConfig } from "../session/config.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureKeyShares } from "../testing/insecure-key-shares.ts";
import { mutationsOf } from "../testing/mutation/mutations.ts";
import { type ReshareConfig, reshareRun, startReshare } from "./reshare.ts";

const THRESHOLD = 2;
const { curve } = CGGMP24;
const [victim, cheat, bystander] = [testParty(1), testParty(2), testParty(3)];
/** One receives without an earlier share, one deals and is released. */
const [newcomer, released] = [testParty(4), testParty(5)];
const dealers = [victim, cheat, bystander, released];
const receivers = [victim, cheat, bystander, newcomer];
const shares = insecureKeyShares(dealers.length, dealers);

/** not the old epoch plus 1: failed attempts used that up */
const NEXT_EPOCH = 7;

const configOf = ({ session, self }: SessionConfig): ReshareConfig<Point> => {
  const own = shares.get(self);
  const { info } = own ?? shares.get(cheat) ?? expect.fail("the cheat holds a share");
  const config = { session, self, info, dealers, receivers, threshold: THRESHOLD, nextEpoch: NEXT_EPOCH };
  return own === undefined ? config : { ...config, secretShare: own.secretShare };
};

/**
 * The flaw of several parties' outcomes; undefined when all are of one epoch of the key, and each share fits
 * its holder.
 */
const flawOf = (outputs: Iterable<Redistributed<Point>>): string | undefined => {
  const seen = new Set<string>();
  for (const output of outputs) {
    const info = output.kind === "holder" ? output.share.info : output.info;
    seen.add(keyDigest(info).join());
    if (output.kind === "released") continue;
    const { self, secretShare } = output.share;
    const own = multiplyGenerator(curve, secretShare.reveal());
    if (info.publicShares.get(self)?.equals(own) !== true) return "a share that is not its holder's";
  }
  return seen.size > 1 ? "two epochs" : undefined;
};

const { messages, unaccounted, ending } = mutationsOf<Redistributed<Point>>({
  name: "reshare",
  parties: testParties(5),
  cheat,
  attempt: {
    protocol: "key-reshare",
    threshold: THRESHOLD,
    agreed: [
      keyDigest(shares.get(cheat)?.info ?? expect.fail("the cheat holds a share")),
      numberToBytesBE(NEXT_EPOCH, EPOCH_BYTES),
      partiesMask(dealers),
      partiesMask(receivers),
    ],
  },
  start: (config) => startReshare(configOf(config)),
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
        ? dealingCommitment(reshareRun(configOf(config)), config.self, opening.value)
        : undefined;
    },
  },
});

describe.each(messages)("INV-7 reshare: a message of %s", (_, mutations) => {
  it.each(mutations)("%s", (_, violations) => {
    expect(violations()).toEqual([]);
  });
});

it("a reshare sends nothing that is not mutated, and ends well when nobody lies", () => {
  expect(unaccounted).toEqual([]);
  expect(ending).toEqual([]);
});
