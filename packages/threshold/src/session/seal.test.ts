import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { x25519 } from "@noble/curves/ed25519.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encode } from "../codec.ts";
import { coinOpeningCodec, commitToCoin } from "../testing/coin-toss.ts";
import {
  alice,
  bob,
  carol,
  flipped,
  honestToss,
  last,
  resigned,
  runAlice,
  sentBy,
  toAlice,
} from "../testing/coin-toss-run.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { insecurePartySecrets, insecurePeerKeys, testSessionId } from "../testing/session-network.ts";
import { encodeField } from "../transcript.ts";
import { ENVELOPE_KIND, type EnvelopeHeader, headerCodec } from "./envelope.ts";
import { SEAL_BYTES, seal, unseal } from "./seal.ts";

const { broadcast, direct, echo } = ENVELOPE_KIND;
const entropy = seededEntropy("seal");
const header: EnvelopeHeader = {
  session: testSessionId("seal"),
  round: 2,
  kind: direct,
  from: bob,
  to: alice,
};
const receiver = insecurePeerKeys(alice).encryption;
const secret = insecurePartySecrets(alice).encryption;
const payload = Uint8Array.of(1, 2, 3);

describe("a sealed payload", () => {
  it("opens for its receiver, and is SEAL_BYTES longer", () => {
    const sealed = seal(payload, receiver, header, entropy);
    expect(sealed).toHaveLength(payload.length + SEAL_BYTES);
    expect(unseal(sealed, secret, header)).toEqual(payload);
  });

  it("has a key and a nonce that depend on the ephemeral key, the receiver and the header", () => {
    const sealed = seal(payload, receiver, header, entropy);
    const ephemeral = sealed.subarray(0, 32);
    const bound = encode(headerCodec, header);
    const info = encodeField(["conclave/v1/seal", ephemeral, receiver, bound]);
    const derived = hkdf(sha256, x25519.getSharedSecret(secret, ephemeral), undefined, info, 32 + 24);
    const cipher = xchacha20poly1305(derived.subarray(0, 32), derived.subarray(32), bound);
    expect(cipher.decrypt(sealed.subarray(32))).toEqual(payload);
  });

  it("does not open for another receiver", () => {
    const sealed = seal(payload, receiver, header, entropy);
    expect(unseal(sealed, insecurePartySecrets(carol).encryption, header)).toBe(undefined);
  });

  it.each<[string, Partial<EnvelopeHeader>]>([
    ["session", { session: testSessionId("another") }],
    ["round", { round: 3 }],
    ["kind", { kind: broadcast }],
    ["sender", { from: carol }],
    ["receiver", { to: carol }],
  ])("P11 does not open under another %s", (_, change) => {
    const sealed = seal(payload, receiver, header, entropy);
    expect(unseal(sealed, secret, { ...header, ...change })).toBe(undefined);
  });

  it("does not open when any byte is changed", () => {
    const sealed = seal(payload, receiver, header, entropy);
    for (const at of sealed.keys()) {
      const tampered = sealed.map((byte, position) => (position === at ? byte ^ 0x40 : byte));
      expect(unseal(tampered, secret, header)).toBe(undefined);
    }
  });

  it("never throws, whatever the bytes, points of low order included", () => {
    expect(unseal(new Uint8Array(SEAL_BYTES + 8), secret, header)).toBe(undefined);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(unseal(bytes, secret, header)).toBe(undefined);
      }),
    );
  });

  it("never has the same bytes twice", () => {
    expect(seal(payload, receiver, header, entropy)).not.toEqual(seal(payload, receiver, header, entropy));
    expect(x25519.getPublicKey(secret)).toEqual(receiver);
  });
});

describe("a sealed message in a session", () => {
  const padOfBob = honestToss.sent.find(
    ({ from, to, kind }) => from === bob && to === alice && kind === direct,
  );
  if (padOfBob === undefined) throw new Error("Bob sent Alice no pad");
  const others = toAlice.filter((envelope) => envelope !== padOfBob);

  it("does not show its content on the wire", () => {
    const { outcome } = last(runAlice(toAlice));
    const pad = outcome.kind === "output" ? outcome.output.pads.get(bob) : undefined;
    expect(pad).toHaveLength(32);
    expect(Buffer.from(padOfBob.payload).includes(Buffer.from(pad ?? []))).toBe(false);
  });

  it("that its sender signed but that does not open is the sender's fault", () => {
    const broken = resigned(padOfBob, { payload: flipped(padOfBob.payload) });
    const { outcome } = last(runAlice([...others, broken]));
    expect(outcome).toMatchObject({ kind: "fault", fault: { culprit: bob, messages: [broken] } });
  });

  it("INV-7 that somebody tampered with on its way blames nobody", () => {
    const tampered = { ...padOfBob, payload: flipped(padOfBob.payload) };
    const steps = runAlice([...others, tampered, padOfBob]);
    expect(steps.at(-2)?.ignored).toBe("unsigned");
    expect(last(steps).outcome).toEqual(honestToss.outcomes.get(alice));
  });

  it("that was meant for another receiver is the fault of who sends it on as its own", () => {
    const padForCarol = honestToss.sent.find(({ from, to }) => from === bob && to === carol);
    const moved = resigned(padOfBob, { payload: padForCarol?.payload ?? new Uint8Array(0) });
    expect(last(runAlice([...others, moved])).outcome).toMatchObject({ fault: { culprit: bob } });
  });
});

describe("a fault that the protocol finds", () => {
  it("comes with all that the culprit signed up to that round, commitment and opening", () => {
    const wrong = { coin: new Uint8Array(32), nonce: new Uint8Array(32) };
    const openingOfBob = sentBy(bob, 2, broadcast);
    const lie = resigned(openingOfBob, { payload: encode(coinOpeningCodec, wrong) });
    const given = toAlice.map((envelope) => (envelope === openingOfBob ? lie : envelope));
    const { outcome } = last(runAlice(given));
    expect(commitToCoin(bob, wrong)).not.toEqual(sentBy(bob, 1, broadcast).payload);
    expect(outcome).toMatchObject({ kind: "fault", fault: { culprit: bob, check: "coin-toss/2 opening" } });
    const rounds = outcome.kind === "fault" ? outcome.fault.messages : [];
    expect(rounds[0]).toBe(sentBy(bob, 1, broadcast));
    expect(rounds[1]).toBe(lie);
  });

  it("comes with what all others said to all, ourselves included, and with the culprit's echo of it", () => {
    const broken = resigned(sentBy(bob, 2, broadcast), { payload: new Uint8Array(64) });
    const given = toAlice.map((envelope) =>
      envelope.from === bob && envelope.round === 2 && envelope.to === 0 ? broken : envelope,
    );
    const { outcome } = last(runAlice(given));
    const evidence = outcome.kind === "fault" ? outcome.fault.messages : [];
    const said = [alice, carol].flatMap((party) => [1, 2].map((round) => sentBy(party, round, broadcast)));
    expect(evidence).toEqual(expect.arrayContaining([sentBy(bob, 1, echo), ...said]));
    expect(evidence.filter((one) => "to" in one && one.from !== bob && one.to !== 0)).toEqual([]);
  });
});
