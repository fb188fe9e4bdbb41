import {
  CGGMP24,
  decode,
  encode,
  type PublicKeyInfo,
  publicKeyInfoCodec,
  SECP256K1,
} from "@conclave/threshold";
import { insecureKeyShares, testParty, testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { Lives } from "../../control/lives.ts";
import type { CallId } from "../../control/session-key.ts";
import { TestCluster } from "../../testing/cluster.ts";
import { authoriseKeyChange, KEY_ID } from "../../testing/fixtures.ts";
import { withKey, withoutKey } from "../../testing/held-keys.ts";
import { eventOf } from "../../testing/signer-input.ts";
import type { SignerEvent } from "../event.ts";
import { storedKey } from "../records/key-records.ts";
import { publicKeyInfoOf, stepSigner } from "../signer.ts";

const isCall = (text: string): text is CallId => text.length > 0;

const reshareWith = (
  info: Uint8Array,
  publicKey: Uint8Array,
  expiresAtMs: number,
  lives: Lives,
): SignerEvent => {
  const call = "call";
  if (!isCall(call)) throw new Error("not a call");
  const authorisation = authoriseKeyChange({
    kind: "key-reshare",
    publicKey: Buffer.from(publicKey).toString("hex"),
    epoch: 1,
    threshold: 2,
    parties: [1, 2, 3],
  });
  const session = testSessionId("reshare");
  return eventOf(
    { kind: "key-reshare", call, session, authorisation, dealers: [1, 3], info, expiresAtMs },
    lives,
  );
};

/** Public info of the same key, by which signers 1 and 2 alone hold shares of it: consistent, but false. */
const withoutThird = (info: PublicKeyInfo): Uint8Array => {
  const first = SECP256K1.generator.multiply(5n);
  const second = first.double().add(info.publicKey.negate()); // 2·X1 - X2 = Y
  const parties = [testParty(1), testParty(2)];
  const publicShares = new Map([
    [testParty(1), first],
    [testParty(2), second],
  ]);
  return encode(publicKeyInfoCodec(CGGMP24), { ...info, parties, publicShares });
};

describe("a reshare by dealers who hold no share", () => {
  test("is refused by a signer that has the key's public part from a liar: it would break the host", () => {
    const cluster = new TestCluster({ seed: "reshare-lie", size: 3, threshold: 2 });
    const { state } = cluster.node(2);
    const key = state && storedKey(state, KEY_ID);
    const known = state && publicKeyInfoOf(state, KEY_ID);
    if (state === undefined || key === undefined || known === undefined) throw new Error("there is a key");
    const decoded = decode(publicKeyInfoCodec(CGGMP24), known);
    if (!decoded.ok) throw new Error(decoded.reason);
    const nowMs = cluster.world.nowMs();
    const lost = withoutKey(state, KEY_ID);
    const begin = (info: Uint8Array) =>
      stepSigner(lost, reshareWith(info, key.publicKey, nowMs + 20_000, cluster.lives), nowMs).effects;
    expect(begin(known).some(({ kind }) => kind === "compute")).toBe(true);
    expect(begin(withoutThird(decoded.value))).toMatchObject([
      { kind: "report", report: { kind: "refusal", problem: { code: "QuorumInvalid" } } },
    ]);
  });
});

describe("the public part of a key in a reshare request", () => {
  const cluster = new TestCluster({ seed: "reshare-info", size: 3, threshold: 2 });
  const { state = expect.fail("it lives") } = cluster.node(2);
  const key = storedKey(state, KEY_ID) ?? expect.fail("there is a key");
  const decoded = decode(publicKeyInfoCodec(CGGMP24), publicKeyInfoOf(state, KEY_ID) ?? expect.fail("of it"));
  const info = decoded.ok ? decoded.value : expect.fail(decoded.reason);
  const nowMs = cluster.world.nowMs();
  const begin = (of: typeof state, change: Partial<PublicKeyInfo>) =>
    stepSigner(
      of,
      reshareWith(
        encode(publicKeyInfoCodec(CGGMP24), { ...info, ...change }),
        key.publicKey,
        nowMs + 20_000,
        cluster.lives,
      ),
      nowMs,
    ).effects;
  const refused = [{ kind: "report", report: { kind: "refusal", problem: { code: "InvalidBody" } } }];
  const lost = withoutKey(state, KEY_ID);
  /** Shares of the same key from another polynomial. */
  const publicShares = new Map(
    info.parties.map((party) => [
      party,
      info.publicKey.add(SECP256K1.generator.multiply(5n).multiply(BigInt(party))),
    ]),
  );
  const [other] = insecureKeyShares(2, info.parties, "another").values();

  test.each<[string, Partial<PublicKeyInfo>]>([
    ["of another key's id", { keyId: `${KEY_ID}-2` }],
    ["of another epoch", { epoch: 2 }],
    ["of another public key", { ...other?.info, keyId: KEY_ID, epoch: 1 }],
  ])("is refused by a signer without a share when it is %s", (_, change) => {
    expect(begin(lost, {}).some(({ kind }) => kind === "compute")).toBe(true);
    expect(begin(lost, change)).toMatchObject(refused);
  });

  test("is refused by a signer without a share when it is of another threshold than that many deal", () => {
    const code = "QuorumInvalid";
    const report = { kind: "refusal", problem: { code } };
    expect(begin(lost, { threshold: 3 })).toMatchObject([{ kind: "report", report }]);
  });

  test("is refused by a signer whose own share is of another polynomial", () => {
    expect(begin(state, {}).some(({ kind }) => kind === "compute")).toBe(true);
    expect(begin(state, { publicShares })).toMatchObject(refused);
  });

  test("is of no use while the key's own share is not active", () => {
    const pending = withKey(state, KEY_ID, { ...key, state: "pending" });
    expect(begin(pending, {})).toMatchObject([
      { kind: "report", report: { kind: "refusal", problem: { code: "KeyUnknown" } } },
    ]);
  });
});

test("a refresh of a key that has another threshold than the roster is refused: it takes a reshare", () => {
  const cluster = new TestCluster({ seed: "other threshold", size: 3, threshold: 2, engine: "tiny" });
  const { state } = cluster.node(2);
  const key = state && storedKey(state, KEY_ID);
  const call = "call";
  if (state === undefined || key === undefined || !isCall(call)) throw new Error("there is a key");
  const nowMs = cluster.world.nowMs();
  const refreshWith = (threshold: number) => {
    const authorisation = authoriseKeyChange({
      kind: "key-refresh",
      publicKey: Buffer.from(key.publicKey).toString("hex"),
      epoch: 1,
      threshold,
      parties: [1, 2, 3],
    });
    const session = testSessionId("refresh");
    const event = eventOf(
      { kind: "key-refresh", call, session, authorisation, expiresAtMs: nowMs + 20_000 },
      cluster.lives,
    );
    return stepSigner({ ...state, config: { ...state.config, threshold } }, event, nowMs).effects;
  };
  expect(refreshWith(2).some(({ kind }) => kind === "compute")).toBe(true);
  const refused = refreshWith(3);
  expect(refused.some(({ kind }) => kind === "compute")).toBe(false);
  expect(JSON.stringify(refused)).toContain("QuorumInvalid");
});
