import { describe, expect, it } from "vitest";
import { decode, encode, scalarCodec } from "../codec.ts";
import { type Point, scalarOf } from "../curve.ts";
import { CGGMP24 } from "../scheme.ts";
import { ENVELOPE_KIND, signEnvelope } from "../session/envelope.ts";
import { importConfig, runImport } from "../testing/importing.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecurePlaintexts, insecurePolynomial, sealForSigners } from "../testing/insecure-import-client.ts";
import type { LockstepOutcome, Mutate, Passing } from "../testing/lockstep.ts";
import { insecurePartySecrets, runSessions, testConfigs, testSessionId } from "../testing/session-network.ts";
import { startImport } from "./import.ts";
import type { ImportOutcome } from "./run.ts";
import { type Statement, statementCodec } from "./statement.ts";

const { curve } = CGGMP24;
const threshold = 2;
const parties = testParties(3);
const [alice, cheat, carol] = [testParty(1), testParty(2), testParty(3)];
const plaintexts = insecurePlaintexts(CGGMP24, parties, insecurePolynomial(CGGMP24, threshold));
const envelopes = sealForSigners(plaintexts);
const config = { scheme: CGGMP24, threshold, envelopes };
const codec = statementCodec(curve);

type Outcome = LockstepOutcome<ImportOutcome<Point>>;
const honestOutcomes = (mutate: Mutate, session = "import"): readonly (Outcome | undefined)[] => {
  const outcomes = runImport({ ...config, session }, { mutate });
  return [outcomes.get(alice), outcomes.get(carol)];
};
const from =
  (round: number, kind: Passing["kind"], change: (payload: Uint8Array) => Uint8Array): Mutate =>
  (passing) =>
    passing.from === cheat && passing.round === round && passing.kind === kind
      ? change(passing.payload)
      : passing.payload;
const restate = (change: (statement: Extract<Statement<Point>, { kind: "taken" }>) => Statement<Point>) =>
  from(1, "broadcast", (payload) => {
    const statement = decode(codec, payload);
    if (!statement.ok || statement.value.kind !== "taken") return expect.fail();
    return encode(codec, change(statement.value));
  });
const flip = (payload: Uint8Array): Uint8Array => payload.map((byte, at) => (at === 0 ? byte ^ 1 : byte));
const nudge = (payload: Uint8Array): Uint8Array => {
  const decoded = decode(scalarCodec, payload);
  return decoded.ok ? encode(scalarCodec, scalarOf(curve, decoded.value + 1n)) : expect.fail();
};

describe("INV-7 a signer that cheats in an import is named by all honest ones:", () => {
  it.each<[string, string, Mutate]>([
    ["an empty statement", "import/1 decoding", from(1, "broadcast", () => new Uint8Array(0))],
    ["an unknown flaw", "import/1 decoding", from(1, "broadcast", () => Uint8Array.of(0, 99, 0))],
    ["a flaw of an unknown field", "import/1 decoding", from(1, "broadcast", () => Uint8Array.of(0, 0, 99))],
    ["a long statement", "payload size", from(1, "broadcast", (p) => Uint8Array.of(...p, 0))],
    [
      "a proof that does not verify",
      "import/1 Πsch",
      restate((s) => ({
        ...s,
        proof: { ...s.proof, response: scalarOf(curve, s.proof.response + 1n) },
      })),
    ],
    ["another commitment than it opens", "2 opening of V", from(2, "broadcast", flip)],
    ["an empty opening", "2 decoding", from(3, "broadcast", () => new Uint8Array(0))],
    ["shares off its polynomial", "2 Feldman check", from(3, "direct", nudge)],
    ["an empty proof of its new share", "3 decoding", from(4, "broadcast", () => new Uint8Array(0))],
    ["the confirmation of another key", "4 confirmation", from(5, "broadcast", flip)],
  ])("%s", (_, check, mutate) => {
    for (const outcome of honestOutcomes(mutate)) {
      const accusation = { culprit: cheat, check: expect.stringContaining(check) };
      expect(outcome).toMatchObject({ kind: "fault", accusation });
    }
  });

  it("P11 a proof of another import", () => {
    let stolen: Uint8Array = new Uint8Array(0);
    honestOutcomes((passing) => {
      if (passing.round === 1 && passing.from === cheat) stolen = passing.payload;
      return passing.payload;
    }, "another import");
    const other = decode(codec, stolen);
    const proof = other.ok && other.value.kind === "taken" ? other.value.proof : expect.fail();
    for (const outcome of honestOutcomes(restate((statement) => ({ ...statement, proof })))) {
      const accusation = { culprit: cheat, check: "import/1 Πsch of the imported share" };
      expect(outcome).toEqual({ kind: "fault", accusation });
    }
  });

  it("P11 the proof of another signer", () => {
    let stolen: Uint8Array = new Uint8Array(0);
    const mutate: Mutate = (passing) => {
      if (passing.round !== 1) return passing.payload;
      if (passing.from === alice) stolen = passing.payload;
      return passing.from === cheat ? stolen : passing.payload;
    };
    const accusation = { culprit: cheat, check: "import/1 Πsch of the imported share" };
    expect(honestOutcomes(mutate)[1]).toEqual({ kind: "fault", accusation });
  });

  it("P12 different statements to different signers, which the echo shows", () => {
    const flawed = encode(codec, { kind: "flawed", flaw: { code: "Malformed", field: "version" } });
    const { identity } = insecurePartySecrets(cheat);
    const { outcomes } = runSessions<ImportOutcome<Point>>({
      configs: testConfigs(parties, testSessionId("import")),
      start: ({ self }) => startImport(importConfig(config, self)),
      seed: "equivocation",
      wire: ({ to, envelope }) => {
        const isStatement = envelope.from === cheat && envelope.kind === ENVELOPE_KIND.broadcast;
        const isChanged = isStatement && to === carol && envelope.round === 1;
        return [{ to, envelope: isChanged ? signEnvelope(envelope, flawed, identity) : envelope }];
      },
    });
    for (const honest of [alice, carol]) {
      const check = "round 1: different broadcasts to different parties";
      expect(outcomes.get(honest)).toMatchObject({ kind: "fault", fault: { culprit: cheat, check } });
    }
  });
});

describe("a signer that lies about its entry", () => {
  it("vetoes the import by name: who lied, it or the client, cannot be shown", () => {
    const flaw = { code: "ShareMismatch", field: "secret_share" } as const;
    for (const outcome of honestOutcomes(restate(() => ({ kind: "flawed", flaw })))) {
      const refusals = [{ kind: "entry", signer: cheat, flaw }];
      expect(outcome).toEqual({ kind: "output", output: { kind: "refused", refusals } });
    }
  });

  it("and claims other public shares ends in a difference that shows who saw what", () => {
    const lie = restate((s) => ({
      ...s,
      agreed: { ...s.agreed, public_shares: flip(s.agreed.public_shares) },
    }));
    for (const outcome of honestOutcomes(lie)) {
      expect(outcome).toMatchObject({
        output: { refusals: [{ field: "public_shares", views: [{ signers: [1, 3] }, { signers: [2] }] }] },
      });
    }
  });
});
