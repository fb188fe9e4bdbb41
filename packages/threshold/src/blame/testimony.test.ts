import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, test } from "vitest";
import type { SessionConfig } from "../session/config.ts";
import { type Envelope, signEnvelope } from "../session/envelope.ts";
import { startSigning } from "../sign/sign.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { testAttempt, testRoster } from "../testing/mutation/attempts.ts";
import { insecurePartySecrets, runSessions, testConfigs } from "../testing/session-network.ts";
import { testifiedPresignatures } from "../testing/testified-presignatures.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { verifyFault } from "./verify-fault.ts";

const signers = testParties(3);
const [honest, cheat] = [testParty(1), testParty(2)];
const roster = testRoster(signers);
const digest = sha256(new TextEncoder().encode("pay Bob one ether"));

/** Runs a signing with a presignature of its own, in which one signer, if it lies, sends a wrong partial signature. */
const run = (name: string, isLying: boolean) => {
  const { presignatures, id } = testifiedPresignatures(signers, `presigning of ${name}`);
  const nothing = new Uint8Array(32);
  const { attempt, session } = testAttempt(name, signers, {
    protocol: "pooled-signing",
    threshold: signers.length,
    agreed: [nothing, Uint8Array.of(0), nothing, digest, nothing, id],
  });
  const lie = (envelope: Envelope): Envelope =>
    isLying && envelope.from === cheat
      ? signEnvelope(
          envelope,
          envelope.payload.map((byte, at) => (at === 31 ? byte ^ 1 : byte)),
          insecurePartySecrets(cheat).identity,
        )
      : envelope;
  const { outcomes, sent } = runSessions({
    configs: testConfigs(signers, session),
    start: ({ self }: SessionConfig) => startSigning({ self, presignature: presignatures(self), digest }),
    seed: name,
    wire: ({ to, envelope }) => [{ to, envelope: lie(envelope) }],
  });
  const outcome = outcomes.get(honest);
  const fault = outcome?.kind === "fault" ? outcome.fault : undefined;
  const { testimony } = presignatures(cheat);
  return { attempt, sent, testimony, evidence: fault && evidenceOf(attempt, fault) };
};

const lie = run("a lie", true);
const { evidence = expect.fail("the cheat is named") } = lie;
const truth = run("the truth", false);
const proves = (changed: Partial<Evidence>): number | undefined => {
  const verdict = verifyFault({ ...evidence, ...changed }, roster);
  return verdict.kind === "proven" ? verdict.culprit : undefined;
};

describe("signers' testimony on a presignature", () => {
  test("INV-7 shows with their partial signature that it is wrong", () => {
    expect(proves({})).toBe(cheat);
  });

  test("INV-7 shows nothing against those whose partial signature is right", () => {
    const material = { ...evidence.material, presigning: lie.testimony }; // with the echoes of all but the cheat
    for (const accused of signers.filter((signer) => signer !== cheat)) {
      expect(proves({ accused, messages: lie.sent, material })).toBeUndefined();
    }
  });

  test("INV-7 shows nothing of a signing that spent another presignature", () => {
    expect(proves({ attempt: truth.attempt, messages: truth.sent })).toBeUndefined();
  });

  test("INV-7 shows nothing once a word of it is not signed", () => {
    const { presigning } = evidence.material;
    const bent = presigning.map((one) =>
      "payload" in one && one.from === cheat
        ? { ...one, signature: one.signature.map((byte, at) => (at === 0 ? byte ^ 1 : byte)) }
        : one,
    );
    expect(bent).not.toEqual(presigning);
    expect(proves({ material: { ...evidence.material, presigning: bent } })).toBeUndefined();
    expect(proves({ material: { ...evidence.material, presigning: [] } })).toBeUndefined();
  });
});
