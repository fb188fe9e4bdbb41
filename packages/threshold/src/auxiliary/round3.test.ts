import { describe, expect, test } from "vitest";
import { encode } from "../codec.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { noSmallFactorProofCodec, proveNoSmallFactor } from "../proofs/no-small-factor.ts";
import { blumModulusProofCodec, proveBlumModulus } from "../proofs/paillier-blum-modulus.ts";
import type { Step } from "../session/round.ts";
import { insecureOwnAuxiliary, testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import type { AuxiliaryInfo, OwnAuxiliary } from "./auxiliary-info.ts";
import { round3 } from "./round3.ts";
import { type AuxiliaryRun, factorContext, modulusContext } from "./run.ts";

const self = testParty(1);
const run: AuxiliaryRun = {
  session: new Uint8Array(32),
  self,
  parties: testParties(3),
  epoch: 0,
  parameters,
};
const bound = new Uint8Array(32).fill(9);

/** Runs round 3 of party 1; parties 2 and 3 hold the given values and prove them honestly. */
const finish = (second: OwnAuxiliary, third: OwnAuxiliary): Step<AuxiliaryInfo> => {
  const own = insecureOwnAuxiliary(1);
  const owners = new Map([
    [self, own],
    [testParty(2), second],
    [testParty(3), third],
  ]);
  const ownerOf = (party: number): OwnAuxiliary => owners.get(testParty(party)) ?? own;
  const peers = new Map(
    [...owners].map(([party, { paillier, pedersen }]) => [
      party,
      { paillier: paillier.publicKey, pedersen: pedersen.parameters },
    ]),
  );
  const entropy = seededEntropy("round 3");
  const inbox = {
    broadcast: (from: typeof self): Uint8Array => {
      const { factors } = ownerOf(from).paillier;
      const proof = proveBlumModulus(modulusContext(run, bound, from), parameters, factors, entropy);
      return encode(blumModulusProofCodec(parameters), proof);
    },
    direct: (from: typeof self): Uint8Array => {
      const context = factorContext(run, bound, from, self);
      const { factors } = ownerOf(from).paillier;
      const proof = proveNoSmallFactor(context, parameters, factors, own.pedersen.parameters, entropy);
      return encode(noSmallFactorProofCodec(parameters), proof);
    },
  };
  return round3(run, own, peers, bound).advance(inbox, entropy);
};

const [second, third] = [insecureOwnAuxiliary(2), insecureOwnAuxiliary(3)];
const check = "aux/3 moduli distinct across parties";

describe("round 3 of auxiliary generation", () => {
  test("ends with the info of all when every proof stands", () => {
    expect(finish(second, third).kind).toBe("output");
  });

  test("INV-7 two peers that share one N and both prove it have both cheated: names the higher index", () => {
    const outcome = finish(second, { ...third, paillier: second.paillier });
    expect(outcome).toEqual({ kind: "fault", accusation: { culprit: testParty(3), check } });
  });

  test("INV-7 two peers that share one N^ have both cheated: N^ is made for the run, and opened after all committed", () => {
    const outcome = finish(second, { ...third, pedersen: second.pedersen });
    expect(outcome).toEqual({ kind: "fault", accusation: { culprit: testParty(3), check } });
  });

  test("INV-7 an N that is another peer's N^ names the higher index", () => {
    const crossed = {
      ...third.pedersen,
      parameters: { ...third.pedersen.parameters, n: second.paillier.factors.n },
    };
    const outcome = finish(second, { ...third, pedersen: crossed });
    expect(outcome).toEqual({ kind: "fault", accusation: { culprit: testParty(3), check } });
  });
});
