import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToNumberLE, concatBytes, numberToBytesLE } from "@noble/curves/utils.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { describe, expect, it } from "vitest";
import { decode, encode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import {
  alice,
  bob,
  carol,
  echoPayload,
  flipped,
  honestToss,
  last,
  resigned,
  runAlice,
  runToss,
  sentBy,
  toAlice,
} from "../testing/coin-toss-run.ts";
import { insecurePartySecrets, insecurePeerKeys, type Transit } from "../testing/session-network.ts";
import { ENVELOPE_KIND, type Envelope, signedBytes } from "./envelope.ts";
import type { Outcome } from "./outcome.ts";
import { provesEquivocation, type SignedMessage, signedMessageCodec } from "./signed-message.ts";

const { broadcast, echo } = ENVELOPE_KIND;
const commitOfAlice = sentBy(alice, 1, broadcast);
const commitOfBob = sentBy(bob, 1, broadcast);
const commitOfCarol = sentBy(carol, 1, broadcast);
const echoOfBob = sentBy(bob, 1, echo);
const echoOfCarol = sentBy(carol, 1, echo);

const culpritOf = (outcome: Outcome<unknown> | undefined): PartyIndex | undefined =>
  outcome?.kind === "fault" ? outcome.fault.culprit : undefined;
const evidenceOf = (outcome: Outcome<unknown> | undefined): readonly SignedMessage[] =>
  outcome?.kind === "fault" ? outcome.fault.messages : [];

/** Another valid signature on the same bytes: Ed25519 with a nonce that the signer chose. */
const signedAgain = (envelope: Envelope, signer: PartyIndex): Envelope => {
  const order = ed25519.Point.Fn.ORDER;
  const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(insecurePartySecrets(signer).identity);
  const nonce = 12345n;
  const commitment = ed25519.Point.BASE.multiply(nonce).toBytes();
  const message = signedBytes(envelope, sha256(envelope.payload));
  const hash = bytesToNumberLE(sha512(concatBytes(commitment, pointBytes, message)));
  const response = (nonce + hash * scalar) % order;
  return { ...envelope, signature: concatBytes(commitment, numberToBytesLE(response, 32)) };
};

describe("equivocation (P12)", () => {
  const other = resigned(commitOfBob, { payload: flipped(commitOfBob.payload) });
  const identity = insecurePeerKeys(bob).identity;
  const proves = ([first, second]: readonly SignedMessage[]): boolean =>
    first !== undefined && second !== undefined && provesEquivocation(first, second, identity);

  it("seen directly is a fault of the signer, proven by both envelopes", () => {
    const { outcome } = last(runAlice([commitOfBob, other]));
    expect(culpritOf(outcome)).toBe(bob);
    expect(evidenceOf(outcome)).toEqual([commitOfBob, other]);
    expect(proves(evidenceOf(outcome))).toBe(true);
  });

  it("towards different receivers is found by every honest one through the echo, and proven", () => {
    const swap = ({ to, envelope }: Transit): Transit =>
      to === carol && envelope.from === bob && envelope.round === 1 && envelope.kind === broadcast
        ? { to, envelope: other }
        : { to, envelope };
    const { outcomes } = runToss({ wire: (transit) => [swap(transit)] });
    for (const party of [alice, carol]) {
      expect(culpritOf(outcomes.get(party))).toBe(bob);
      expect(proves(evidenceOf(outcomes.get(party)))).toBe(true);
    }
  });

  it("is found although the equivocator never echoes itself", () => {
    const echoOfOther = resigned(echoOfCarol, { payload: echoPayload([commitOfAlice, other]) });
    expect(culpritOf(last(runAlice([commitOfBob, commitOfCarol, echoOfOther])).outcome)).toBe(bob);
  });

  it("is found when the echo came before the broadcasts", () => {
    const echoOfOther = resigned(echoOfCarol, { payload: echoPayload([commitOfAlice, other]) });
    expect(culpritOf(last(runAlice([echoOfOther, commitOfBob, commitOfCarol])).outcome)).toBe(bob);
  });

  it("INV-7 is not claimed of a party that signed one payload twice", () => {
    const again = signedAgain(commitOfBob, bob);
    expect(proves([commitOfBob, again])).toBe(false);
    const echoOfAgain = resigned(echoOfCarol, { payload: echoPayload([commitOfAlice, again]) });
    const steps = runAlice([commitOfBob, commitOfCarol, echoOfAgain, echoOfBob]);
    expect(last(steps).outcome).toEqual({ kind: "running", round: 2 });
  });

  it("evidence survives its codec", () => {
    const evidence = evidenceOf(last(runAlice([commitOfBob, other])).outcome);
    const copied = evidence.map((item) => {
      const decoded = decode(signedMessageCodec, encode(signedMessageCodec, item));
      return decoded.ok ? decoded.value : expect.fail(decoded.reason);
    });
    expect(proves(copied)).toBe(true);
  });

  it("is not proven by anything that the accused did not sign", () => {
    expect(proves([commitOfBob, { ...other, signature: flipped(other.signature) }])).toBe(false);
    expect(proves([commitOfBob, resigned(other, { round: 2 })])).toBe(false);
  });
});

describe("a lying echo", () => {
  const forged: Envelope = { ...commitOfBob, payload: flipped(commitOfBob.payload) };
  const unsignedSame: Envelope = { ...commitOfBob, signature: flipped(commitOfBob.signature) };

  it.each<[string, Uint8Array]>([
    ["claims a payload that its alleged sender did not sign", echoPayload([commitOfAlice, forged])],
    ["carries a bad signature for the right payload", echoPayload([commitOfAlice, unsignedSame])],
    ["claims that we sent what we did not sign", echoPayload([{ ...forged, from: alice }, commitOfBob])],
    ["leaves a party out", echoPayload([commitOfAlice])],
    ["names one party twice", echoPayload([commitOfAlice, commitOfAlice])],
    ["names parties out of order", echoPayload([commitOfBob, commitOfAlice])],
    ["speaks for its own sender", echoPayload([commitOfAlice, commitOfCarol])],
    ["calls another's message its own", echoPayload([commitOfAlice, { ...commitOfBob, from: carol }])],
    ["is empty", new Uint8Array(0)],
    ["is too long", echoPayload([commitOfAlice, commitOfBob, commitOfBob])],
  ])("INV-7 that %s is its sender's fault, shown by the echo", (_, payload) => {
    const lie = resigned(echoOfCarol, { payload });
    const { outcome } = last(runAlice([commitOfBob, commitOfCarol, lie]));
    expect(culpritOf(outcome)).toBe(carol);
    expect(evidenceOf(outcome)).toEqual([lie]);
  });

  it("two different echoes of one party are its equivocation", () => {
    const lie = resigned(echoOfCarol, { payload: flipped(echoOfCarol.payload) });
    const { outcome } = last(runAlice([echoOfCarol, lie]));
    expect(culpritOf(outcome)).toBe(carol);
    expect(evidenceOf(outcome)).toEqual([echoOfCarol, lie]);
  });
});

describe("an echoed round", () => {
  it("P12 does not advance before every echo is there", () => {
    const withoutLast = toAlice.filter((envelope) => envelope !== echoOfCarol);
    expect(last(runAlice(withoutLast)).outcome).toEqual({ kind: "running", round: 1 });
    expect(last(runAlice([...withoutLast, echoOfCarol])).outcome).toEqual(honestToss.outcomes.get(alice));
  });

  it("echoes once, when the last broadcast is in", () => {
    const steps = runAlice([echoOfBob, commitOfCarol, commitOfBob]);
    expect(steps.slice(1).map(({ send }) => send.map(({ kind }) => kind))).toEqual([[], [], [echo]]);
  });
});
