import { inspect } from "node:util";
import { describe, expect, it, test } from "vitest";
import type { PartyIndex } from "../fault.ts";
import { preparePaillierElGamal } from "../proofs/paillier-elgamal.ts";
import { insecureAuxiliaryInfo, testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { runLockstep } from "../testing/lockstep.ts";
import { outputsOf, presignConfig, type TestPresigning } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { prepareCommitments } from "./commitment-secrets.ts";
import { prepareConversion } from "./conversion.ts";
import type { PeerMasks, PresignMasks } from "./masks.ts";
import { startPresigning } from "./presign.ts";

const [self, peer] = [testParty(1), testParty(2)];
const config: TestPresigning = { t: 2, n: 3, signers: [self, peer] };
const auxiliary = insecureAuxiliaryInfo(testParties(3)).get(self) ?? expect.fail();
const entropy = seededEntropy("masks");

const { parameters } = auxiliary;
const own = auxiliary.own.reveal();

const peerMasks = (count: number, towards: PartyIndex = peer): PeerMasks => {
  const { pedersen, paillier } = auxiliary.peers.get(towards) ?? expect.fail();
  const times = Array.from({ length: count });
  return {
    proofs: times.map(() => preparePaillierElGamal(parameters, own.paillier, pedersen, entropy)),
    conversions: times.map(() => prepareConversion(parameters, own, { paillier, pedersen }, entropy)),
  };
};
const full = (): PresignMasks => ({
  commitments: prepareCommitments(own, entropy),
  peers: new Map([[peer, peerMasks(2)]]),
});
const startWith = (masks: PresignMasks) => startPresigning({ ...presignConfig(config, self), masks });

/** Runs a presigning in which the first signer has these masks; also returns the lengths of its messages. */
const runWith = (masks: PresignMasks) => {
  const sent: string[] = [];
  const outcomes = runLockstep({
    starts: new Map([
      [self, startWith(masks)],
      [peer, startPresigning(presignConfig(config, peer))],
    ]),
    mutate: ({ from, round, kind, payload }) => {
      if (from === self) sent.push(`${round} ${kind} ${Math.round(payload.length / 100)}`);
      return payload;
    },
  });
  return { outputs: outputsOf(outcomes), sent };
};

describe("masks made ahead", () => {
  const bare = runWith({ peers: new Map() });

  test.each<[string, () => PresignMasks]>([
    ["all of them", full],
    ["one of each kind", () => ({ peers: new Map([[peer, peerMasks(1)]]) })],
    ["more than one run uses", () => ({ peers: new Map([[peer, peerMasks(3)]]) })],
    [
      "those of a peer that does not sign",
      () => ({ peers: new Map([[testParty(3), peerMasks(1, testParty(3))]]) }),
    ],
  ])("%s: the run sends what it would send without, and every proof stands", (_, masks) => {
    const run = runWith(masks());
    expect([...run.outputs.keys()]).toEqual([self, peer]);
    expect(run.sent).toEqual(bare.sent);
  });

  it("INV-2 are gone after one run: no other run can use them", () => {
    const masks = full();
    runWith(masks);
    expect(() => startWith(masks)(entropy)).toThrow("used after it was taken");
    const { commitments: _, ...rest } = masks;
    expect(() => startWith(rest)(entropy)).toThrow("used after it was taken");
    const conversions = [...masks.peers.values()].flatMap((towards) => towards.conversions);
    expect(conversions.length).toBe(2);
    for (const mask of conversions) expect(() => mask.reveal()).toThrow("used after it was taken");
  });

  it("INV-7 are refused when they were made under other moduli: their proofs would not stand", () => {
    const stranger = insecureAuxiliaryInfo(testParties(3)).get(peer) ?? expect.fail();
    const commitments = prepareCommitments(stranger.own.reveal(), entropy);
    expect(() => startWith({ commitments, peers: new Map() })(entropy)).toThrow(RangeError);
    const { proofs } = peerMasks(1, testParty(3));
    const others = { proofs, conversions: [] };
    expect(() => startWith({ peers: new Map([[peer, others]]) })(entropy)).toThrow(RangeError);
  });

  it("INV-10 do not print", () => {
    const printed = inspect(full(), { depth: 10 });
    expect(printed).not.toMatch(/\d{20}/);
    expect(printed).toContain("[secret]");
  });
});
