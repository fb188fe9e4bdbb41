import { sha256 } from "@noble/hashes/sha2.js";
import { expect, test } from "vitest";
import { decode, encode } from "../codec.ts";
import { echoCodec } from "../session/echo.ts";
import { ENVELOPE_KIND, signEnvelope } from "../session/envelope.ts";
import { NO_MATERIAL } from "../session/material.ts";
import { signedHash } from "../session/signed-message.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { testAttempt, testRoster } from "../testing/mutation/attempts.ts";
import { insecurePartySecrets } from "../testing/session-network.ts";
import { verifyFault } from "./verify-fault.ts";

const parties = testParties(3);
const roster = testRoster(parties);
const [accused, other] = [testParty(1), testParty(2)];
const { identity } = insecurePartySecrets(accused);

test("INV-7 an honest echo is no fault when the evidence lists the parties in another order", () => {
  const { attempt, session } = testAttempt("order", parties, { protocol: "presigning" });
  const claims = parties.slice(1).map((party) => {
    const header = { session, round: 1, kind: ENVELOPE_KIND.broadcast, from: party, to: 0 };
    const { payload, signature } = signEnvelope(
      header,
      new Uint8Array(4),
      insecurePartySecrets(party).identity,
    );
    return { party, payloadHash: sha256(payload), signature };
  });
  const bytes = encode(echoCodec(parties.length), claims);
  expect(decode(echoCodec(parties.length), bytes).ok).toBe(true);
  const header = { session, round: 1, kind: ENVELOPE_KIND.echo, from: accused, to: 0 };
  const messages = [signEnvelope(header, bytes, identity)];
  const check = "round 1: echo does not list every other party";
  for (const order of [parties, parties.toReversed(), [accused, accused, other]]) {
    const changed = {
      attempt: { ...attempt, parties: order },
      accused,
      check,
      messages,
      material: NO_MATERIAL,
    };
    expect(verifyFault(changed, roster).kind).toBe("unproven");
  }
});

test("two payloads for one place are found among others, whole or as hashes", () => {
  const { attempt, session } = testAttempt("twice", parties, { protocol: "presigning" });
  const said = (to: number, text: number) =>
    signEnvelope(
      { session, round: 1, kind: ENVELOPE_KIND.direct, from: accused, to },
      Uint8Array.of(text),
      identity,
    );
  const check = "round 1: two different messages for one place";
  const kindOf = (messages: readonly ReturnType<typeof said>[]) =>
    [messages, messages.map(signedHash)].map(
      (all) => verifyFault({ attempt, accused, check, messages: all, material: NO_MATERIAL }, roster).kind,
    );
  expect(kindOf([said(2, 1), said(3, 2), said(2, 1)])).toEqual(["unproven", "unproven"]);
  expect(kindOf([said(2, 1), said(3, 2), said(2, 1), said(2, 3)])).toEqual(["proven", "proven"]);
});
