import { inspect } from "node:util";
import { describe, expect, it, test } from "vitest";
import type { PartyIndex } from "../fault.ts";
import { GENERATOR, invertScalar, multiplyBase, scalar, sumPoints } from "../group.ts";
import { startSigning } from "../sign/sign.ts";
import { insecureAuxiliaryInfo, testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureKeyShares } from "../testing/insecure-key-shares.ts";
import { runLockstep } from "../testing/lockstep.ts";
import { outputsOf, presign, presignConfig } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { runSessions, testConfigs, testSessionId } from "../testing/session-network.ts";
import { startPresigning } from "./presign.ts";
import type { Presignature } from "./presignature.ts";

const digest = Uint8Array.from({ length: 32 }, (_, at) => at + 1);

const signWith = (presignatures: ReadonlyMap<PartyIndex, Presignature>) =>
  outputsOf(
    runLockstep({
      starts: new Map(
        [...presignatures].map(([self, presignature]) => [
          self,
          startSigning({ self, presignature, digest }),
        ]),
      ),
    }),
  );

describe("presigning", () => {
  it.each([
    [2, 3, [1, 2]],
    [2, 3, [2, 3]],
    [3, 5, [1, 3, 5]],
    [3, 5, [2, 3, 4]],
  ])(
    "%i of %i: signers %j make a presignature that signs once, the same signature for all",
    (t, n, numbers) => {
      const signers = numbers.map(testParty);
      const presignatures = outputsOf(presign({ t, n, signers }));
      const signatures = [...signWith(presignatures).values()];
      expect(new Set(signatures.map(({ r, s, recovery }) => `${r}/${s}/${recovery}`)).size).toBe(1);
      expect(signatures.length).toBe(t);
    },
  );

  it("gives shares of γ^-1 and γ^-1·x, and their public images under Γ", () => {
    const signers = [1, 3, 5].map(testParty);
    const presignatures = outputsOf(presign({ t: 3, n: 5, signers }));
    const [first = expect.fail()] = presignatures.values();
    let [k, chi] = [0n, 0n];
    for (const [self, { secret, publics, Gamma }] of presignatures) {
      const own = secret.reveal();
      expect(publics.get(self)?.k.equals(Gamma.multiply(own.k))).toBe(true);
      expect(publics.get(self)?.chi.equals(Gamma.multiply(own.chi))).toBe(true);
      [k, chi] = [scalar(k + own.k), scalar(chi + own.chi)];
    }
    expect(first.Gamma.equals(multiplyBase(invertScalar(k)))).toBe(true);
    expect(first.publicKey.equals(multiplyBase(chi * invertScalar(k)))).toBe(true);
    expect(sumPoints([...first.publics.values()].map((one) => one.k)).equals(GENERATOR)).toBe(true);
  });

  it("binds its output to session, key, epoch and signers, alike for all", () => {
    const signers = [1, 2].map(testParty);
    const config = { t: 2, n: 3, signers };
    const { session, key } = presignConfig(config, testParty(1));
    for (const [self, output] of outputsOf(presign(config))) {
      const { keyId, epoch, publicKey } = key.info;
      expect(output).toMatchObject({ self, signers, keyId, epoch, session });
      expect(output.publicKey.equals(publicKey)).toBe(true);
      expect([...output.publics.keys()]).toEqual(signers);
    }
  });

  it("INV-10 does not print its secret", () => {
    const [presignature = expect.fail()] = outputsOf(
      presign({ t: 2, n: 3, signers: [1, 2].map(testParty) }),
    ).values();
    const { k, chi } = presignature.secret.reveal();
    const printed = inspect(presignature, { depth: 10 });
    expect(printed).not.toContain(`${k}`);
    expect(printed).not.toContain(`${chi}`);
    expect(printed).toContain("[secret]");
  });

  it("makes another nonce in every session and of every seed", () => {
    const signers = [1, 2].map(testParty);
    const nonces = ["a", "b"].map((seed) => {
      const [one = expect.fail()] = outputsOf(presign({ t: 2, n: 3, signers }, { seed })).values();
      return one.Gamma.toHex();
    });
    expect(new Set(nonces).size).toBe(2);
  });

  it("runs over the session layer, and signs in the same session after it", () => {
    const signers = [2, 3].map(testParty);
    const config = { t: 2, n: 3, signers };
    const { session } = presignConfig(config, testParty(2));
    const configs = testConfigs(signers, session);
    const presigned = runSessions({
      configs,
      start: ({ self }) => startPresigning(presignConfig(config, self)),
      seed: "over sessions",
    });
    const presignatures = outputsOf(presigned.outcomes);
    const signed = runSessions({
      configs,
      start: ({ self }) => {
        const presignature = presignatures.get(self) ?? expect.fail();
        return startSigning({ self, presignature, digest });
      },
      seed: "signing",
    });
    expect([...signed.outcomes.values()].map(({ kind }) => kind)).toEqual(["output", "output"]);
    expect(new Set(signed.sent.map(({ round }) => round))).toEqual(new Set([5]));
  });

  it("P12 asks for agreement on the commitments of round 1", () => {
    const step = startPresigning(presignConfig({ t: 2, n: 3, signers: [1, 2].map(testParty) }, testParty(1)))(
      seededEntropy("round 1"),
    );
    expect(step.kind === "next" && step.round.expects.broadcast).toBe("echo");
  });
});

describe("a quorum that does not fit is a bug of the caller", () => {
  const auxiliary = insecureAuxiliaryInfo(testParties(4));
  const shares = insecureKeyShares(2, testParties(3));
  const self = testParty(1);
  const base = {
    session: testSessionId("misfit"),
    self,
    signers: [1, 2].map(testParty),
    key: shares.get(self) ?? expect.fail(),
    auxiliary: auxiliary.get(self) ?? expect.fail(),
  };

  test.each([
    ["too few signers", { signers: [1].map(testParty) }],
    ["more than t signers", { signers: [1, 2, 3].map(testParty) }],
    ["signers without self", { signers: [2, 3].map(testParty) }],
    ["P10 a signer twice", { signers: [1, 1].map(testParty) }],
    ["signers out of order", { signers: [2, 1].map(testParty) }],
    ["a signer without a share", { signers: [1, 4].map(testParty) }],
    ["the share of another party", { key: shares.get(testParty(2)) ?? expect.fail() }],
    ["the auxiliary info of another party", { auxiliary: auxiliary.get(testParty(2)) ?? expect.fail() }],
    [
      "a signer without auxiliary info",
      { auxiliary: insecureAuxiliaryInfo([self]).get(self) ?? expect.fail() },
    ],
  ])("%s", (_, changed) => {
    expect(() => startPresigning({ ...base, ...changed })).toThrow(RangeError);
  });
});
