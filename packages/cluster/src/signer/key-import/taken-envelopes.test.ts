import { Secret } from "@conclave/threshold";
import { testParty, testSessionId } from "@conclave/threshold/testing";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { TestCluster } from "../../testing/cluster.ts";
import { keyIdOf, START_MS } from "../../testing/fixtures.ts";
import { authoriseImport, honestEnvelopes, PASSING_KEY } from "../../testing/key-passage.ts";
import { livesIn, openAlone } from "../../testing/signer-input.ts";
import { IMPORT_ENVELOPES_REMEMBERED_MAX } from "../limits.ts";
import { RECORDS } from "../records/record.ts";
import { stepSigner } from "../signer.ts";
import type { SignerState } from "../state.ts";
import { taking, whyNotTake } from "./taken-envelopes.ts";

const [ONE, OTHER_KEY] = [testParty(1), keyIdOf(22)];
const sealed = honestEnvelopes();
const own = sealed.get(ONE) ?? new Uint8Array(0);
const without = new Uint8Array(own.length); // the bytes where the ephemeral key should be are no point

const fresh = (): SignerState =>
  new TestCluster({ seed: "taken", engine: "tiny" }).node(ONE).state ?? expect.fail("the signer lives");

/** The signer after a restart with these records. */
const restarted = ({ config }: SignerState, puts: ReturnType<typeof taking>["puts"]): SignerState =>
  openAlone(config, puts, () => undefined).state;

const codeFor = (state: SignerState, envelope: Uint8Array, keyId: string) =>
  whyNotTake(state, envelope, keyId)?.code;

describe("INV-11 an envelope that a signer took for a key id", () => {
  test.each([
    ["with an ephemeral key", own],
    ["without one, which opens for nobody", without],
  ])(
    "%s is refused for every other, before and after a start, and taken again for the same",
    (_, envelope) => {
      const before = fresh();
      const { state, puts } = taking(before, envelope, PASSING_KEY);
      expect(puts).toHaveLength(1);
      for (const each of [state, restarted(state, puts)]) {
        expect(codeFor(each, envelope, OTHER_KEY)).toBe("KeyImportEnvelopesUsed");
        expect(codeFor(each, envelope, PASSING_KEY)).toBeUndefined();
        expect(taking(each, envelope, PASSING_KEY)).toEqual({ state: each, puts: [] });
      }
    },
  );

  test("is refused with any ciphertext of its ephemeral key, also of no length", () => {
    const { state, puts } = taking(fresh(), own, PASSING_KEY);
    const bent = [own.with(0, (own[0] ?? 0) ^ 1), own.slice(7), own.slice(-33), new Uint8Array([0, ...own])];
    for (const each of [state, restarted(state, puts)]) {
      for (const envelope of bent) {
        expect(codeFor(each, envelope, OTHER_KEY)).toBe("KeyImportEnvelopesUsed");
        expect(codeFor(each, envelope, PASSING_KEY)).toBeUndefined();
      }
    }
  });

  test("has a record of bounded size, which holds nothing of what is in the envelope", () => {
    const { puts } = taking(fresh(), new Uint8Array([...new Uint8Array(16_000), ...own]), PASSING_KEY);
    expect(puts[0]?.value.reveal().length).toBeLessThan(200);
  });

  test("takes the last place there is: then no other is taken, and this one still is", () => {
    const { state } = taking(fresh(), own, PASSING_KEY);
    const size = 2 * IMPORT_ENVELOPES_REMEMBERED_MAX;
    const full: SignerState = { ...state, envelopes: { ...state.envelopes, size } };
    expect(codeFor(full, without, OTHER_KEY)).toBe("TooManySessions");
    expect(codeFor(full, own, PASSING_KEY)).toBeUndefined();
    expect(codeFor(full, own, OTHER_KEY)).toBe("KeyImportEnvelopesUsed");
  });

  test("is on the disk before it is opened, in one write with the session's id", () => {
    const signer = fresh();
    const { effects } = stepSigner(
      signer,
      {
        kind: "begin",
        call: new TestCluster({ seed: "call", engine: "tiny" }).call(1, (call) => ({
          kind: "discard-key",
          call,
          keyId: PASSING_KEY,
        })).call,
        session: testSessionId("taken"),
        lives: livesIn(signer),
        command: {
          kind: "key-import",
          authorisation: authoriseImport(sealed),
          envelope: own,
          expiresAtMs: START_MS + 20_000,
        },
      },
      START_MS,
    );
    expect(effects).toMatchObject([
      {
        kind: "batch",
        puts: [
          { record: expect.stringMatching(/^session\//) },
          { record: expect.stringMatching(/^envelope\//) },
        ],
        sync: true,
      },
      { kind: "compute", task: { kind: "open-import" } },
    ]);
  });
});

test.each([
  ["of another version", { version: 2, keyId: PASSING_KEY }],
  ["without a key id", { version: 1 }],
  ["with an ephemeral key that is no hex", { version: 1, keyId: PASSING_KEY, ephemeralKey: "xy" }],
  ["with a field of nobody", { version: 1, keyId: PASSING_KEY, orgId: "or-1" }],
])("a record of an envelope %s is not taken for one", (_, json) => {
  const record = RECORDS.envelope.name("ab".repeat(32));
  const value = new Secret(utf8ToBytes(JSON.stringify(json)));
  expect(() => RECORDS.envelope.read({ record, value })).toThrow("not readable");
});
