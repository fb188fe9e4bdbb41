import { expect, test } from "vitest";
import { FROST_ED25519 } from "../scheme.ts";
import { testParties } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { testSessionId } from "../testing/session-network.ts";
import { requestOf } from "./run.ts";

const parties = testParties(3);
const [key] = insecureSchemeShares(FROST_ED25519, 2, parties).values();
const [other] = insecureSchemeShares(FROST_ED25519, 2, parties, "other").values();

test("INV-7 a signer that was asked for anything else has another request: session, key, signers, message and tweak", () => {
  if (key === undefined || other === undefined) throw new Error("every party has a share");
  const request = {
    session: testSessionId("request"),
    signers: parties.slice(0, 2),
    key,
    message: Uint8Array.of(1),
  };
  const different = [
    { session: testSessionId("another") },
    { key: other },
    { signers: parties.slice(1) },
    { message: Uint8Array.of(2) },
    { merkleRoot: new Uint8Array(32) },
    { merkleRoot: new Uint8Array(32).fill(1) },
  ];
  const all = [request, ...different.map((change) => ({ ...request, ...change }))].map(requestOf);
  expect(new Set(all.map((hash) => hash.toString())).size).toBe(all.length);
  expect(requestOf({ ...request })).toEqual(requestOf(request));
});
