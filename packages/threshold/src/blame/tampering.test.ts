import { sha256 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode, encode } from "../codec.ts";
import { startFrostSigning } from "../frost/frost-signing.ts";
import { publicKeyInfoCodec } from "../keygen/key-share.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import { FROST_ED25519 } from "../scheme.ts";
import type { SessionConfig } from "../session/config.ts";
import { ENVELOPE_KIND, type Envelope, signEnvelope } from "../session/envelope.ts";
import { SIGNED_MESSAGES_MAX } from "../session/signed-message.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { testAttempt, testRoster } from "../testing/mutation/attempts.ts";
import { insecurePartySecrets, runSessions, testConfigs } from "../testing/session-network.ts";
import { type Attempt, attemptSession } from "./attempt.ts";
import { EVIDENCE_BYTES_MAX, type Evidence, evidenceCodec, evidenceOf } from "./evidence.ts";
import { verifyFault } from "./verify-fault.ts";

const signers = testParties(3);
const [honest, cheat, other] = [testParty(1), testParty(2), testParty(3)];
const roster = testRoster(signers);
const shares = insecureSchemeShares(FROST_ED25519, signers.length, signers);
const message = new TextEncoder().encode("pay Bob one bitcoin");
const info = shares.get(honest)?.info ?? expect.fail("the dealer leaves nobody out");

const attemptNamed = (name: string) =>
  testAttempt(name, signers, {
    protocol: "signing",
    scheme: "FROST-Ed25519",
    threshold: signers.length,
    agreed: [new Uint8Array(32), Uint8Array.of(0), keyDigest(info), sha256(message)],
  });

/** Runs a signing in which one signer, if it lies, sends a wrong signature share to all. */
const run = (name: string, isLying: boolean) => {
  const { attempt, session } = attemptNamed(name);
  const lie = (envelope: Envelope): Envelope =>
    isLying && envelope.from === cheat && envelope.round === 2
      ? signEnvelope(
          envelope,
          envelope.payload.with(0, (envelope.payload[0] ?? 0) ^ 1),
          insecurePartySecrets(cheat).identity,
        )
      : envelope;
  const { outcomes, sent } = runSessions({
    configs: testConfigs(signers, session),
    start: ({ session: of, self }: SessionConfig) => {
      const key = shares.get(self) ?? expect.fail("the dealer leaves nobody out");
      return startFrostSigning({ session: of, self, signers, key, message });
    },
    seed: name,
    wire: ({ to, envelope }) => [{ to, envelope: lie(envelope) }],
  });
  const outcome = outcomes.get(honest);
  const fault = outcome?.kind === "fault" ? outcome.fault : undefined;
  return { attempt, sent, evidence: fault && evidenceOf(attempt, fault) };
};

const { evidence = expect.fail("the cheat is named") } = run("lies", true);
const { attempt: another, sent: elsewhere } = run("honest", false);
const WRONG = "frost/2 z·G = ±(D + ρ·E) + λ·c·S";
const TOO_LARGE = { kind: "unproven", why: "the evidence is larger than any that a signer makes" };
const proves = (changed: Evidence): number | undefined => {
  const verdict = verifyFault(changed, roster);
  return verdict.kind === "proven" ? verdict.culprit : undefined;
};

describe("evidence of a wrong signature share", () => {
  test("INV-7 proves the fault to anybody who has the roster, and survives its codec", () => {
    expect(proves(evidence)).toBe(cheat);
    const decoded = decode(evidenceCodec, encode(evidenceCodec, evidence));
    expect(decoded.ok && proves(decoded.value)).toBe(cheat);
  });

  test("INV-7 with any byte changed it convicts nobody but the cheat", () => {
    const bytes = encode(evidenceCodec, evidence);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const decoded = decode(evidenceCodec, bytes.with(at, (bytes[at] ?? 0) ^ change));
        const convicted = decoded.ok ? proves(decoded.value) : undefined;
        expect([undefined, cheat]).toContain(convicted);
      }),
      { numRuns: 100 },
    );
  });

  test("INV-7 with another session, accused, check or roster it convicts nobody", () => {
    const { attempt } = attemptNamed("another");
    const changes: readonly Partial<Evidence>[] = [
      { attempt },
      { attempt: { ...evidence.attempt, level: "CGGMP24-128" } },
      { attempt: { ...evidence.attempt, protocol: "pooled-signing" } },
      { accused: honest },
      { accused: other },
      { check: "frost/1 request" },
      { check: "sign/1 σ·Γ = m·Δ~ + r·S~" },
      { check: "anything" },
      { messages: [] },
      { messages: elsewhere },
      { messages: [...evidence.messages, ...elsewhere] },
      { material: { ...evidence.material, key: new Uint8Array(0) } },
      { material: { ...evidence.material, message: Uint8Array.of(1) } },
    ];
    expect(changes.map((change) => proves({ ...evidence, ...change }))).toEqual(changes.map(() => undefined));
    const swapped = new Map([
      ...roster,
      [cheat, { identity: roster.get(other)?.identity ?? new Uint8Array(32) }],
    ]);
    expect(verifyFault(evidence, swapped).kind).toBe("unproven");
    expect(verifyFault(evidence, new Map()).kind).toBe("unproven");
  });

  test("INV-7 with another field of its attempt it convicts nobody", () => {
    const changes: readonly Partial<Attempt>[] = [
      { given: new Uint8Array(32) },
      { expiresAtMs: 2 },
      { level: "of nobody" },
      { scheme: "FROST-BIP340" },
      { keyId: "another" },
      { epoch: 1 },
      { parties: [honest, cheat] },
      { threshold: 2 },
      { total: 4 },
      { agreed: evidence.attempt.agreed.with(0, new Uint8Array(32).fill(1)) },
      { agreed: evidence.attempt.agreed.with(1, Uint8Array.of(1)) },
    ];
    for (const change of changes) {
      expect(proves({ ...evidence, attempt: { ...evidence.attempt, ...change } })).toBeUndefined();
    }
    const why = (changed: Partial<Evidence>) => verifyFault({ ...evidence, ...changed }, roster);
    const level = { attempt: { ...evidence.attempt, level: "of nobody" } };
    expect(why(level)).toMatchObject({ why: "the security level is unknown" });
    const stranger = { accused: testParty(4) };
    expect(why(stranger)).toMatchObject({ why: "the accused was no party of the session" });
  });

  test("P11 attempts of two protocols, or of two schemes of one curve, have two session ids", () => {
    const idOf = (changed: Partial<Attempt>) => attemptSession({ ...evidence.attempt, ...changed }, roster);
    expect(idOf({ protocol: "key-refresh" })).not.toEqual(idOf({ protocol: "key-reshare" }));
    expect(idOf({ scheme: "FROST-BIP340" })).not.toEqual(idOf({ scheme: "FROST-Taproot" }));
    expect(idOf({ scheme: "CGGMP24" })).not.toEqual(idOf({ scheme: "FROST-BIP340" }));
  });

  test("INV-7 proves the check that failed, and no other of the same round", () => {
    expect(proves({ ...evidence, check: "frost/2 decoding: message ends too early" })).toBeUndefined();
  });

  test("INV-7 convicts nobody who signed otherwise than it says", () => {
    const changed = evidence.messages.map((one) =>
      "payload" in one && one.from === honest && one.round === 2
        ? { ...one, payload: one.payload.with(0, (one.payload[0] ?? 0) ^ 1) }
        : one,
    );
    expect(changed).not.toEqual(evidence.messages);
    expect(proves({ ...evidence, messages: changed })).toBeUndefined();
    const own = elsewhere.map((one) =>
      one.from === honest && one.round === 2
        ? { ...one, payload: one.payload.with(0, (one.payload[0] ?? 0) ^ 1) }
        : one,
    );
    expect(
      proves({ ...evidence, attempt: another, accused: honest, messages: elsewhere, check: WRONG }),
    ).toBeUndefined();
    expect(
      proves({ ...evidence, attempt: another, accused: honest, messages: own, check: WRONG }),
    ).toBeUndefined();
  });

  test.each([
    WRONG,
    "frost/1 request",
    "frost/1 D is a point of the group",
    "frost/1 E is a point of the group",
    "round 1: echo does not list every other party",
    ...signers.map((party) => `round 1: echo claims a message that party ${party} did not sign`),
    "round 2: payload of 32 bytes, at most 32 allowed",
    "round 1: two different messages for one place",
  ])("INV-7 the record of honest signers fails nobody: %s", (check) => {
    for (const accused of signers) {
      expect(proves({ ...evidence, attempt: another, accused, check, messages: elsewhere })).toBeUndefined();
    }
  });

  test("INV-7 a cheat that signs other commitments afterwards convicts nobody who never heard them", () => {
    const { sent } = run("other commitments", false);
    const [later] = sent.filter(
      ({ from, round, kind }) => from === cheat && round === 1 && kind === ENVELOPE_KIND.broadcast,
    );
    const messages = elsewhere.map((one) =>
      later !== undefined && one.from === cheat && one.round === 1 && one.kind === ENVELOPE_KIND.broadcast
        ? signEnvelope(one, later.payload, insecurePartySecrets(cheat).identity)
        : one,
    );
    expect(messages).not.toEqual(elsewhere);
    const against = { ...evidence, attempt: another, accused: honest, check: WRONG, messages };
    expect(proves(against)).toBeUndefined();
    const heard = messages.filter(({ from, kind }) => from !== honest || kind !== ENVELOPE_KIND.echo);
    expect(proves({ ...against, messages: heard })).toBeUndefined();
  });

  test("INV-7 with the public part of another key it convicts nobody", () => {
    const others = insecureSchemeShares(FROST_ED25519, 2, signers).get(honest);
    const key = encode(publicKeyInfoCodec(FROST_ED25519), others?.info ?? expect.fail("nobody is left out"));
    const material = { ...evidence.material, key };
    for (const accused of signers) {
      const against = { ...evidence, attempt: another, accused, messages: elsewhere, material };
      expect(proves({ ...against, check: WRONG })).toBeUndefined();
      expect(proves({ ...against, check: "frost/1 request" })).toBeUndefined();
    }
  });

  test("P13 has as many messages and bytes as it may, whatever a session ended with", () => {
    const fault = { culprit: cheat, check: WRONG, material: evidence.material };
    const many = evidenceOf(evidence.attempt, {
      ...fault,
      messages: Array.from({ length: 400 }, () => evidence.messages).flat(),
    });
    expect(many.messages.length).toBeLessThanOrEqual(SIGNED_MESSAGES_MAX);
    const [one = expect.fail("some are shown")] = evidence.messages.filter((each) => "payload" in each);
    const long = { ...one, payload: new Uint8Array(500_000) };
    const large = evidenceOf(evidence.attempt, {
      ...fault,
      messages: Array.from({ length: 45 }, () => long),
    });
    expect(encode(evidenceCodec, large).length).toBeLessThanOrEqual(EVIDENCE_BYTES_MAX);
    expect(verifyFault({ ...evidence, messages: Array.from({ length: 45 }, () => long) }, roster)).toEqual(
      TOO_LARGE,
    );
    const short = Array.from({ length: SIGNED_MESSAGES_MAX + 1 }, () => ({
      ...one,
      payload: new Uint8Array(0),
    }));
    expect(verifyFault({ ...evidence, messages: short }, roster)).toEqual(TOO_LARGE);
  });

  test("of another format, or with parties that do not ascend, does not decode", () => {
    const bytes = encode(evidenceCodec, evidence);
    expect(decode(evidenceCodec, bytes.with(0, 1)).ok).toBe(false);
    const attempt = { ...evidence.attempt, parties: [...signers].reverse() };
    expect(decode(evidenceCodec, encode(evidenceCodec, { ...evidence, attempt })).ok).toBe(false);
  });

  test("INV-7 convicts nobody when the accused's own echo of the commitments is left out", () => {
    const messages = evidence.messages.filter(
      (one) => !("payload" in one && one.kind === ENVELOPE_KIND.echo && one.from === cheat),
    );
    expect(messages).toHaveLength(evidence.messages.length - 1);
    expect(proves({ ...evidence, messages })).toBeUndefined();
  });

  test("INV-7 a fault that only a receiver can see convicts nobody, and P13 evidence that is too large is not looked at", () => {
    const long = Array.from({ length: 400 }, () => evidence.messages).flat();
    expect(proves({ ...evidence, check: "round 2: sealed message does not open" })).toBeUndefined();
    expect(proves({ ...evidence, check: "keygen/2 Feldman check of the share" })).toBeUndefined();
    expect(verifyFault({ ...evidence, messages: long }, roster)).toEqual(TOO_LARGE);
  });
});
