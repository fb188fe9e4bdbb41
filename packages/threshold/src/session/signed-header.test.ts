import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, it, test } from "vitest";
import { ENVELOPE_KIND, type Envelope, type EnvelopeHeader, isSignedBy, signEnvelope } from "./envelope.ts";
import { provesEquivocation, signedHash } from "./signed-message.ts";

const secret = new Uint8Array(32).fill(7);
const identity = ed25519.getPublicKey(secret);
const header: EnvelopeHeader = {
  session: new Uint8Array(32).fill(1),
  round: 2,
  kind: ENVELOPE_KIND.direct,
  from: 3,
  to: 4,
};
const payload = new TextEncoder().encode("said");
const signed = (changed: Partial<EnvelopeHeader> = {}, said = payload): Envelope =>
  signEnvelope({ ...header, ...changed }, said, secret);

const elsewhere: readonly (readonly [string, Partial<EnvelopeHeader>])[] = [
  ["session", { session: new Uint8Array(32).fill(9) }],
  ["round", { round: 3 }],
  ["kind", { kind: ENVELOPE_KIND.broadcast }],
  ["sender", { from: 5 }],
  ["receiver", { to: 5 }],
];

describe("P11 a signature is for one place", () => {
  const { signature } = signed();

  it("verifies there", () => {
    expect(isSignedBy(identity, header, sha256(payload), signature)).toBe(true);
  });

  test.each(elsewhere)("not for another %s", (_, changed) => {
    expect(isSignedBy(identity, { ...header, ...changed }, sha256(payload), signature)).toBe(false);
  });

  it("nor for another payload, nor under another key", () => {
    expect(isSignedBy(identity, header, sha256(new Uint8Array(1)), signature)).toBe(false);
    expect(isSignedBy(ed25519.getPublicKey(new Uint8Array(32)), header, sha256(payload), signature)).toBe(
      false,
    );
  });
});

describe("INV-7 equivocation takes two signed payloads for one place", () => {
  const other = new TextEncoder().encode("said otherwise");

  it("and is then proven, whichever of the two comes first, with the payload or without", () => {
    expect(provesEquivocation(signed(), signed({}, other), identity)).toBe(true);
    expect(provesEquivocation(signed({}, other), signedHash(signed()), identity)).toBe(true);
  });

  test.each(elsewhere)("messages for another %s prove nothing", (_, changed) => {
    expect(provesEquivocation(signed(), signed(changed, other), identity)).toBe(false);
    expect(provesEquivocation(signed(changed, other), signed(), identity)).toBe(false);
  });

  it("one message twice proves nothing", () => {
    expect(provesEquivocation(signed(), signed(), identity)).toBe(false);
  });

  it("a message that the accused did not sign proves nothing, whichever of the two it is", () => {
    const foreign = signEnvelope(header, other, new Uint8Array(32).fill(8));
    expect(provesEquivocation(signed(), foreign, identity)).toBe(false);
    expect(provesEquivocation(foreign, signed(), identity)).toBe(false);
  });
});
