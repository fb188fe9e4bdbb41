import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { decode, fixedBytes } from "../codec.ts";
import { ORDER } from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { COMMITMENT_BYTES } from "../opening.ts";
import { noSmallFactorProofCodec } from "../proofs/no-small-factor.ts";
import { blumModulusProofCodec } from "../proofs/paillier-blum-modulus.ts";
import { Secret } from "../secret.ts";
import type { SessionConfig } from "../session/config.ts";
import {
  insecureAuxiliaryPrimes,
  insecureOwnAuxiliary,
  testParties,
  testParty,
} from "../testing/insecure-auxiliary.ts";
import { mutationsOf } from "../testing/mutation/mutations.ts";
import { startAuxiliaryGeneration } from "./auxiliary.ts";
import type { AuxiliaryInfo } from "./auxiliary-info.ts";
import { auxiliaryCommitment, auxiliaryOpeningCodec } from "./opening.ts";
import type { AuxiliaryRun } from "./run.ts";

const runOf = ({ session, self, parties }: SessionConfig): AuxiliaryRun => ({
  session,
  self,
  parties,
  epoch: 0,
  parameters,
});

const { messages, unaccounted, ending } = mutationsOf<AuxiliaryInfo>({
  name: "auxiliary generation",
  parties: testParties(3),
  cheat: testParty(2),
  attempt: { protocol: "auxiliary" },
  takesForeknowledge: (check) => check.includes("moduli distinct"),
  start: (config) =>
    startAuxiliaryGeneration({ ...runOf(config), primes: new Secret(insecureAuxiliaryPrimes(config.self)) }),
  messages: [
    { round: 1, kind: "broadcast", codec: fixedBytes(COMMITMENT_BYTES) },
    { round: 2, kind: "broadcast", codec: auxiliaryOpeningCodec(parameters) },
    { round: 3, kind: "broadcast", codec: blumModulusProofCodec(parameters) },
    { round: 3, kind: "direct", codec: noSmallFactorProofCodec(parameters) },
  ],
  flawOf: (outputs) => {
    const [first, ...others] = [...outputs.values()].map(({ peers }) => [...peers]);
    return others.every((peers) => isDeepStrictEqual(peers, first))
      ? undefined
      : "not all hold the same moduli";
  },
  integers: new Map([
    ["q", ORDER],
    ["N", insecureOwnAuxiliary(2).paillier.publicKey.n],
    ["N^ of the victim", insecureOwnAuxiliary(1).pedersen.parameters.n],
  ]),
  committed: {
    round: 2,
    commitmentRound: 1,
    free: ["rho", "mask"],
    commit: (payload, config) => {
      const opening = decode(auxiliaryOpeningCodec(parameters), payload);
      return opening.ok ? auxiliaryCommitment(runOf(config), config.self, opening.value) : undefined;
    },
  },
});

describe.each(messages)("INV-7 auxiliary generation, a message of %s", (_, mutations) => {
  it.each(mutations)("%s", (_, violations) => {
    expect(violations()).toEqual([]);
  });
});

it("auxiliary generation sends nothing that is not mutated, and ends well when nobody lies", () => {
  expect(unaccounted).toEqual([]);
  expect(ending).toEqual([]);
});
