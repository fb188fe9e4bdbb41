import { describe, expect, it } from "vitest";
import { testParties } from "../testing/insecure-auxiliary.ts";
import { insecurePeerKeys } from "../testing/session-network.ts";
import { SESSION_ID_BYTES } from "./envelope.ts";
import { type SessionFields, sessionId } from "./session-id.ts";

const roster = testParties(4).map((index) => ({ index, identity: insecurePeerKeys(index).identity }));
const fields: SessionFields = {
  execution: new Uint8Array(32).fill(1),
  protocol: "keygen",
  keyId: "key-1",
  epoch: 0,
  parties: roster.slice(0, 3),
  threshold: 2,
  total: 3,
  curve: "secp256k1",
};

describe("a session id", () => {
  it("has 32 bytes and does not depend on the order in which parties are named", () => {
    expect(sessionId(fields)).toHaveLength(SESSION_ID_BYTES);
    expect(sessionId({ ...fields, parties: [...fields.parties].reverse() })).toEqual(sessionId(fields));
  });

  it.each<[string, Partial<SessionFields>]>([
    ["execution", { execution: new Uint8Array(32).fill(2) }],
    ["protocol", { protocol: "presign" }],
    ["key", { keyId: "key-2" }],
    ["epoch", { epoch: 1 }],
    ["participants", { parties: roster.slice(1, 4) }],
    ["number of participants", { parties: roster }],
    ["threshold", { threshold: 3 }],
    ["roster size", { total: 4 }],
    ["curve", { curve: "ed25519" }],
    [
      "identity of a participant",
      {
        parties: roster.slice(0, 3).map((party, at) => ({
          ...party,
          identity: roster[at === 0 ? 3 : at]?.identity ?? party.identity,
        })),
      },
    ],
    ["boundary between fields", { protocol: "keygenk", keyId: "ey-1" }],
  ])("P11 differs when the %s does", (_, change) => {
    expect(sessionId({ ...fields, ...change })).not.toEqual(sessionId(fields));
  });
});
