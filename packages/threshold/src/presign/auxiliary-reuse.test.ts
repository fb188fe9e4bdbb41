import { describe, expect, it } from "vitest";
import { startAuxiliaryGeneration } from "../auxiliary/auxiliary.ts";
import type { AuxiliaryInfo } from "../auxiliary/auxiliary-info.ts";
import type { PartyIndex } from "../fault.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { Secret } from "../secret.ts";
import {
  insecureAuxiliaryInfo,
  insecureAuxiliaryPrimes,
  insecureOwnAuxiliary,
  testParties,
  testParty,
} from "../testing/insecure-auxiliary.ts";
import { insecureKeyShares } from "../testing/insecure-key-shares.ts";
import { type LockstepOutcome, runLockstep } from "../testing/lockstep.ts";
import { testSessionId } from "../testing/session-network.ts";
import { startPresigning } from "./presign.ts";
import type { Presignature } from "./presignature.ts";

const parties = testParties(2);
const [stable, rotated] = [testParty(1), testParty(2)];
const before = insecureAuxiliaryInfo(parties);

type Infos = ReadonlyMap<PartyIndex, AuxiliaryInfo>;

const present = <T>(value: T | undefined): T => value ?? expect.fail();

/** The auxiliary info of a party that renewed its own keys without the others. */
const renewed = (info: AuxiliaryInfo): AuxiliaryInfo => {
  const own = insecureOwnAuxiliary(7);
  const shown = { paillier: own.paillier.publicKey, pedersen: own.pedersen.parameters };
  return { ...info, own: new Secret(own), peers: new Map(info.peers).set(info.self, shown) };
};

const presignWith = (infos: Infos, key = "key"): ReadonlyMap<PartyIndex, LockstepOutcome<Presignature>> => {
  const shares = insecureKeyShares(2, parties, key);
  const start = (self: PartyIndex) =>
    startPresigning({
      session: testSessionId(`presigning ${key}`),
      self,
      signers: parties,
      key: present(shares.get(self)),
      auxiliary: present(infos.get(self)),
    });
  return runLockstep({ starts: new Map(parties.map((self) => [self, start(self)])) });
};

const kinds = (outcomes: ReadonlyMap<PartyIndex, { readonly kind: string }>): readonly string[] =>
  [...outcomes.values()].map(({ kind }) => kind);

const generate = (epochOf: (self: PartyIndex) => number, primesOf: (self: PartyIndex) => number) =>
  runLockstep({
    starts: new Map(
      parties.map((self) => [
        self,
        startAuxiliaryGeneration({
          session: testSessionId("auxiliary"),
          self,
          parties,
          epoch: epochOf(self),
          parameters,
          primes: new Secret(insecureAuxiliaryPrimes(primesOf(self))),
        }),
      ]),
    ),
  });

describe("P22 auxiliary information", () => {
  it("serves every key of the parties that made it", () => {
    expect(kinds(presignWith(before, "one key"))).toEqual(["output", "output"]);
    expect(kinds(presignWith(before, "another key"))).toEqual(["output", "output"]);
  });

  it("of a node that renewed its own alone serves nobody: its proofs stand under keys that no peer knows", () => {
    const mixed = new Map(before).set(rotated, renewed(present(before.get(rotated))));
    expect(presignWith(mixed).get(stable)).toEqual({
      kind: "fault",
      accusation: { culprit: rotated, check: "presign/1 Πenc-elg of K" },
    });
    expect(kinds(presignWith(mixed))).not.toContain("output");
  });

  it("of all, generated anew after one node changed, serves again, with new moduli for everybody", () => {
    const outcomes = generate(
      () => 1,
      (self) => self + 6,
    );
    const infos = new Map<PartyIndex, AuxiliaryInfo>();
    for (const [self, outcome] of outcomes) {
      if (outcome.kind === "output") infos.set(self, outcome.output);
    }
    expect(kinds(presignWith(infos))).toEqual(["output", "output"]);
    for (const party of parties) {
      const [old, fresh] = [before.get(stable), infos.get(stable)].map((info) => info?.peers.get(party));
      expect(fresh?.paillier.n).not.toBe(old?.paillier.n);
      expect(fresh?.pedersen.n).not.toBe(old?.pedersen.n);
    }
  });

  it("is of one epoch: what a party proves for one does not stand in another", () => {
    const outcomes = generate(
      (self) => (self === stable ? 1 : 2),
      (self) => self,
    );
    expect(outcomes.get(stable)).toMatchObject({
      kind: "fault",
      accusation: { check: "aux/2 opening of V" },
    });
  });

  it("lacks the parties that did not take part: a signer that joined later cannot presign with it", () => {
    const shares = insecureKeyShares(2, testParties(3));
    const start = () =>
      startPresigning({
        session: testSessionId("joined"),
        self: stable,
        signers: [stable, testParty(3)],
        key: present(shares.get(stable)),
        auxiliary: present(before.get(stable)),
      });
    expect(start).toThrow(RangeError);
  });
});
