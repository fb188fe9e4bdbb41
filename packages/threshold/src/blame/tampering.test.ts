import { sha256 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode, encode } from "../codec.ts";
import { startFrostSigning } from "../frost/frost-signing.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import { FROST_ED25519 } from "../scheme.ts";
import type { SessionConfig } from "../session/config.ts";
import { ENVELOPE_KIND, type Envelope, signEnvelope } from "../session/envelope.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { testAttempt, testRoster } from "../testing/mutation/attempts.ts";
import { insecurePartySecrets, runSessions, testConfigs } from "../testing/session-network.ts";
import { type Evidence, evidenceCodec, evidenceOf } from "./evidence.ts";
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

/** A signing in which one signer sends a wrong signature share to all. */
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
  return { sent, evidence: fault && evidenceOf(attempt, fault) };
};

const { evidence = expect.fail("the cheat is named") } = run("lies", true);
const elsewhere = run("honest", false).sent;
const proves = (changed: Evidence): number | undefined => {
  const verdict = verifyFault(changed, roster);
  return verdict.kind === "proven" ? verdict.culprit : undefined;
};

describe("evidence of a wrong signature share", () => {
  test("INV-7 proves the fault to whoever has the roster, and survives its codec", () => {
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
      { numRuns: 400 },
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

  test("INV-7 convicts nobody when the accused's own echo of the commitments is left out", () => {
    const messages = evidence.messages.filter(
      (one) => !("payload" in one && one.kind === ENVELOPE_KIND.echo && one.from === cheat),
    );
    expect(messages).toHaveLength(evidence.messages.length - 1);
    expect(proves({ ...evidence, messages })).toBeUndefined();
  });

  test("INV-7 what only a receiver can see convicts nobody, and P13 what is too large is not looked at", () => {
    const long = Array.from({ length: 400 }, () => evidence.messages).flat();
    expect(proves({ ...evidence, check: "round 2: sealed message does not open" })).toBeUndefined();
    expect(proves({ ...evidence, check: "keygen/2 Feldman check of the share" })).toBeUndefined();
    expect(verifyFault({ ...evidence, messages: long }, roster)).toEqual({
      kind: "unproven",
      why: "the evidence is larger than any that a signer makes",
    });
  });
});
