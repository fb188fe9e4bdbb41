import { Secret } from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import {
  insecurePartySecrets,
  insecurePeerKeys,
  seededEntropy,
  testParties,
  testParty,
} from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { type SessionKey, sessionKey } from "../control/session-key.ts";
import { compute, openHost } from "./host.ts";
import { drop } from "./host-state.ts";
import type { HostConfig } from "./task.ts";

const self = testParty(1);
const parties = testParties(3);
const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(3);
const envelope = {
  session: bytes(32),
  round: 1,
  kind: 1,
  from: 2,
  to: 0,
  payload: bytes(5),
  signature: bytes(64),
};
const config: HostConfig = {
  self,
  parameters: INSECURE_TEST_PARAMETERS,
  peers: new Map(parties.map((party) => [party, insecurePeerKeys(party)])),
  secrets: new Secret(insecurePartySecrets(self)),
};
const session: SessionKey = sessionKey(envelope.session) ?? expect.fail("a session id has 32 bytes");

test("INV-2 a host does not sign without the session's own presignature", () => {
  const host = openHost(config);
  const sign = { kind: "open-signing", digest: bytes(32) } as const;
  expect(() => compute(host, session, sign, seededEntropy("host"))).toThrow("presignature");
});

test("P7 a host joins no presignature of the pool with a digest that somebody chose, and does not read it", () => {
  const presignature = new Secret(bytes(40));
  const digest = { from: "transaction", bytes: bytes(32) } as const;
  Reflect.set(digest, "from", "caller"); // bypasses the compiler, which rejects such a digest
  const key = { keyId: "key-1", epoch: 1 };
  const task = { kind: "open-pooled-signing", id: "ab".repeat(32), presignature, key, digest } as const;
  expect(() => compute(openHost(config), session, task, seededEntropy("host"))).toThrow("(P7)");
  expect(presignature.reveal()).toEqual(bytes(40));
});

test("a host knows nothing of a session that was dropped", () => {
  const task = {
    kind: "open-key",
    parties,
    keyId: "key-1",
    scheme: "CGGMP24",
    threshold: 2,
    epoch: 1,
  } as const;
  const entropy = seededEntropy("host");
  const { host, result } = compute(openHost(config), session, task, entropy);
  expect(result).toMatchObject({ kind: "running", stage: "keygen/1", awaiting: [2, 3] });
  const late = compute(drop(host, session), session, { kind: "deliver", envelope }, entropy);
  expect(late.result).toEqual({ kind: "abort", check: "the session is not open" });
});
