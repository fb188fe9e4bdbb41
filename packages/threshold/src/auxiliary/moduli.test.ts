import { describe, expect, test } from "vitest";
import { insecureAuxiliaryInfo, testParties, testParty } from "../testing/insecure-auxiliary.ts";
import type { PeerAuxiliary } from "./auxiliary-info.ts";
import { collisionOf } from "./moduli.ts";

const parties = testParties(3);
const [self, one, two] = [testParty(1), testParty(2), testParty(3)];
const { peers } = insecureAuxiliaryInfo(parties).get(self) ?? expect.fail("a party has its own");
const of = (party: typeof one): PeerAuxiliary => peers.get(party) ?? expect.fail("a peer has its own");
const withSecond = (change: Partial<PeerAuxiliary>) =>
  new Map([
    [two, { ...of(two), ...change }],
    [one, of(one)],
  ]);

describe("INV-7 of two parties with a modulus in common the higher is named,", () => {
  test.each<[string, Partial<PeerAuxiliary>]>([
    ["N and N", { paillier: of(one).paillier }],
    ["N^ and N^", { pedersen: of(one).pedersen }],
    ["N and N^", { pedersen: { ...of(two).pedersen, n: of(one).paillier.n } }],
    ["N^ and N", { paillier: { ...of(two).paillier, n: of(one).pedersen.n } }],
  ])("%s", (_, change) => {
    expect(collisionOf(withSecond(change))).toMatchObject({
      kind: "fault",
      accusation: { culprit: two, check: "aux/3 moduli distinct across parties" },
    });
  });

  test("and nobody when all differ", () => {
    expect(collisionOf(withSecond({}))).toBeUndefined();
  });
});
