import { describe, expect, it } from "vitest";
import { publicAuxiliaryDigest } from "../auxiliary/public-auxiliary.ts";
import { decode, encode } from "../codec.ts";
import { GENERATOR, ORDER } from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import type { SessionConfig } from "../session/config.ts";
import type { Start } from "../session/round.ts";
import {
  insecureAuxiliaryInfo,
  insecureOwnAuxiliary,
  testParties,
  testParty,
} from "../testing/insecure-auxiliary.ts";
import { insecureKeyShares } from "../testing/insecure-key-shares.ts";
import type { AttackedProtocol } from "../testing/mutation/attacked-protocol.ts";
import { lyingStart } from "../testing/mutation/lying-start.ts";
import { type Mutations, mutationsOf } from "../testing/mutation/mutations.ts";
import {
  commitmentProofsCodec,
  commitmentsCodec,
  conversionProofsCodec,
  conversionsCodec,
  disputeOpeningCodec,
  type Reveal,
  revealCodec,
} from "./messages.ts";
import { startPresigning } from "./presign.ts";
import { holdsOwnShares, type Presignature, presignatureCodec } from "./presignature.ts";

const signers = testParties(3);
const [honest, cheat] = [testParty(1), testParty(2)];
const receivers = signers.length - 1;
const keys = insecureKeyShares(signers.length, signers);
const auxiliaries = insecureAuxiliaryInfo(signers);

/** The digests that the session binds: of the key and of the auxiliary info. */
const agreed = (): readonly Uint8Array[] => {
  const [key, auxiliary] = [keys.get(honest), auxiliaries.get(honest)];
  if (key === undefined || auxiliary === undefined) throw new RangeError("the dealer leaves nobody out");
  return [keyDigest(key.info), publicAuxiliaryDigest(auxiliary)];
};

const start = ({ session, self }: SessionConfig): Start<Presignature> => {
  const [key, auxiliary] = [keys.get(self), auxiliaries.get(self)];
  if (key === undefined || auxiliary === undefined) throw new RangeError("the dealer leaves nobody out");
  return startPresigning({ session, self, signers, key, auxiliary });
};

/** The flaw of several signers' presignatures; undefined when each is consistent and all share one nonce. */
const flawOf = (presignatures: readonly Presignature[]): string | undefined => {
  const isConsistent = presignatures.every(
    (presignature) =>
      holdsOwnShares(presignature) && decode(presignatureCodec, encode(presignatureCodec, presignature)).ok,
  );
  if (!isConsistent) return "a presignature that is not consistent";
  const nonces = new Set(presignatures.map(({ Gamma }) => Gamma.toHex()));
  return nonces.size > 1 ? "two nonces" : undefined;
};

const protocol: AttackedProtocol<Presignature> = {
  name: "presigning",
  parties: signers,
  cheat,
  attempt: { protocol: "presigning", threshold: signers.length, agreed: agreed() },
  start,
  messages: [
    { round: 1, kind: "broadcast", codec: commitmentsCodec(parameters) },
    { round: 1, kind: "direct", codec: commitmentProofsCodec(parameters) },
    { round: 2, kind: "broadcast", codec: conversionsCodec(parameters, receivers) },
    { round: 2, kind: "direct", codec: conversionProofsCodec(parameters) },
    { round: 3, kind: "broadcast", codec: revealCodec, joint: ["delta", "S"] },
  ],
  flawOf: (outputs) => flawOf([...outputs.values()]),
  integers: new Map([
    ["q", ORDER],
    ["N of the cheat", insecureOwnAuxiliary(cheat).paillier.publicKey.n],
    ["N^ of the victim", insecureOwnAuxiliary(honest).pedersen.parameters.n],
  ]),
};

const changed = (payload: Uint8Array, change: (reveal: Reveal) => Partial<Reveal>): Uint8Array => {
  const reveal = decode(revealCodec, payload);
  if (!reveal.ok) throw new Error(reveal.reason);
  return encode(revealCodec, { ...reveal.value, ...change(reveal.value) });
};

/** A presigning in which the cheat reveals values that make a joint check fail, so that all open in round 4. */
const dispute = (name: string, change: (reveal: Reveal) => Partial<Reveal>): Mutations =>
  mutationsOf({
    ...protocol,
    name,
    messages: [
      ...protocol.messages,
      { round: 4, kind: "broadcast", codec: disputeOpeningCodec(parameters, receivers) },
    ],
    prelude: {
      round: 3,
      start: (config) =>
        lyingStart(start(config), {
          round: 3,
          say: (payload) => changed(payload, change),
          hear: (from, payload) => (from === honest ? changed(payload, change) : payload),
        }),
    },
  });

// in a dispute about δ, the cheat is named before its opening arrives (blame/dispute-openings.test.ts)
describe.each([
  ["presigning", mutationsOf(protocol)],
  ["a dispute about S", dispute("dispute about S", ({ S }) => ({ S: S.add(GENERATOR) }))],
])("%s", (_, { messages, unaccounted, ending }) => {
  describe.each(messages)("INV-7 a message of %s", (_, mutations) => {
    it.each(mutations)("%s", (_, violations) => {
      expect(violations()).toEqual([]);
    });
  });

  it("sends nothing that is not mutated, and ends as it must when nobody lies", () => {
    expect(unaccounted).toEqual([]);
    expect(ending).toEqual([]);
  });
});
