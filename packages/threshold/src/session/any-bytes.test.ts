import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode } from "../codec.ts";
import { alice, bob, last, present, resigned, runAlice, toAlice, tossers } from "../testing/coin-toss-run.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { type Envelope, envelopeCodec } from "./envelope.ts";
import { deliver, type Session } from "./session.ts";

const template: Envelope = present(toAlice.find(({ from }) => from === bob));
const IGNORED = new Set([
  "duplicate",
  "stale",
  "foreign",
  "unsigned",
  "misaddressed",
  "unexpected",
  "overfull",
]);
const inRound = (round: number): Session<unknown> =>
  last(runAlice(toAlice.filter((envelope) => envelope.round < round))).session;

/** Arbitrary bytes, and bytes that decode to arbitrary envelopes. */
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc
    .record({
      session: fc.oneof(fc.constant(template.session), fc.uint8Array({ minLength: 32, maxLength: 32 })),
      round: fc.integer({ min: 0, max: 255 }),
      kind: fc.integer({ min: 0, max: 255 }),
      from: fc.oneof(fc.constantFrom<number>(...tossers), fc.integer({ min: 0, max: 65535 })),
      to: fc.oneof(fc.constantFrom(0, alice), fc.integer({ min: 0, max: 65535 })),
      payload: fc.uint8Array({ maxLength: 200 }),
      signature: fc.uint8Array({ minLength: 64, maxLength: 64 }),
    })
    .map((envelope) => encode(envelopeCodec, envelope)),
);

describe("a session given arbitrary bytes", () => {
  it("P13 never throws on 10,000 random strings, and is left as it was", () => {
    const session = inRound(1);
    let decodable = 0;
    const property = fc.property(anyBytes, (bytes) => {
      const decoded = decode(envelopeCodec, bytes);
      if (!decoded.ok) return;
      decodable++;
      const progress = deliver(session, decoded.value, seededEntropy("fuzz"));
      expect(IGNORED).toContain(progress.ignored);
      expect(progress.session).toBe(session);
    });
    fc.assert(property, { numRuns: 10_000 });
    expect(decodable).toBeGreaterThan(1000);
  });

  it("never throws on, and ignores, envelopes with every byte changed in turn", () => {
    const session = inRound(2);
    const bytes = encode(
      envelopeCodec,
      present(toAlice.find(({ round, from }) => round === 2 && from === bob)),
    );
    for (const at of bytes.keys()) {
      const changed = bytes.map((byte, position) => (position === at ? byte ^ 0x21 : byte));
      const decoded = decode(envelopeCodec, changed);
      if (!decoded.ok) continue;
      const { ignored, session: after } = deliver(session, decoded.value, seededEntropy("fuzz"));
      expect(IGNORED).toContain(ignored);
      expect(after).toBe(session);
    }
  });

  it("INV-7 never throws on random signed envelopes, and blames nobody but who signed them", () => {
    const byBob = fc.record({
      round: fc.integer({ min: 0, max: 6 }),
      kind: fc.integer({ min: 0, max: 5 }),
      to: fc.constantFrom(0, alice, bob),
      payload: fc.uint8Array({ maxLength: 250 }),
    });
    const honest = toAlice.filter(({ from }) => from !== bob);
    fc.assert(
      fc.property(fc.array(byBob, { maxLength: 8 }), (messages) => {
        const lies = messages.map((message) => resigned(template, message));
        const { outcome } = last(runAlice([...lies, ...honest]));
        const isBlamedRightly = outcome.kind === "fault" && outcome.fault.culprit === bob;
        expect(outcome.kind === "running" || isBlamedRightly).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
