import { numberToBytesBE } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { expect, test } from "vitest";
import { decode, encode } from "../codec.ts";
import { publicKeyInfoCodec } from "../keygen/key-share.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import { dealingOpeningBytes } from "../redistribution/messages.ts";
import { FROST_ED25519 } from "../scheme.ts";
import { echoCodec } from "../session/echo.ts";
import { ENVELOPE_KIND, signEnvelope } from "../session/envelope.ts";
import { NO_MATERIAL } from "../session/material.ts";
import { signedHash } from "../session/signed-message.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { testAttempt, testRoster } from "../testing/mutation/attempts.ts";
import { insecurePartySecrets } from "../testing/session-network.ts";
import { EPOCH_BYTES } from "./agreed-values.ts";
import { verifyFault } from "./verify-fault.ts";

const parties = testParties(3);
const roster = testRoster(parties);
const [accused, other] = [testParty(1), testParty(2)];
const { identity } = insecurePartySecrets(accused);

/** An opening of so many bytes in a refresh of a key of three parties, all of whom are needed, in a cluster with t = 2. */
const refreshOpening = (excess: number, isKeyShown = true) => {
  const shares = insecureSchemeShares(FROST_ED25519, parties.length, parties);
  const info = shares.get(accused)?.info ?? expect.fail("the dealer leaves nobody out");
  const { attempt, session } = testAttempt("refresh", parties, {
    protocol: "key-refresh",
    scheme: FROST_ED25519.name,
    threshold: 2,
    agreed: [keyDigest(info), numberToBytesBE(7, EPOCH_BYTES)],
  });
  const limit = dealingOpeningBytes(FROST_ED25519.curve, info.threshold);
  const payload = new Uint8Array(limit + excess);
  const header = { session, round: 2, kind: ENVELOPE_KIND.broadcast, from: accused, to: 0 };
  const messages = [signEnvelope(header, payload, identity)];
  const ofCluster = dealingOpeningBytes(FROST_ED25519.curve, attempt.threshold);
  const checkOf = (most: number) => `round 2: payload of ${payload.length} bytes, at most ${most} allowed`;
  const key = isKeyShown ? encode(publicKeyInfoCodec(FROST_ED25519), info) : NO_MATERIAL.key;
  const kindFor = (check: string) =>
    verifyFault({ attempt, accused, check, messages, material: { ...NO_MATERIAL, key } }, roster).kind;
  return { own: kindFor(checkOf(limit)), cluster: kindFor(checkOf(ofCluster)) };
};

test("INV-7 an honest opening of a refresh is no fault when the key needs more signers than the cluster", () => {
  expect(refreshOpening(0)).toEqual({ own: "unproven", cluster: "unproven" });
  expect(refreshOpening(0, false)).toEqual({ own: "unproven", cluster: "unproven" });
  expect(refreshOpening(1)).toEqual({ own: "proven", cluster: "unproven" });
  expect(refreshOpening(1, false)).toEqual({ own: "unproven", cluster: "unproven" });
});

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
