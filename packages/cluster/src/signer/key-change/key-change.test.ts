import type { SignedAuthorisation } from "@conclave/custody";
import { testSessionId } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { beforeEach, describe, expect, test } from "vitest";
import type { CallId } from "../../control/session-key.ts";
import { TestCluster } from "../../testing/cluster.ts";
import { publicKeyOf } from "../../testing/drive.ts";
import { refreshOn } from "../../testing/drive-key-change.ts";
import {
  authoriseKey,
  authoriseKeyChange,
  authoriseKeyDiscard,
  KEY_ID,
  type KeyChangeWish,
  keyIdOf,
  START_MS,
} from "../../testing/fixtures.ts";
import type { Told } from "../../testing/told.ts";
import { KEY_CHANGE_AGE_MS_MAX, PUBLIC_INFO_BYTES_MAX } from "../limits.ts";
import { RECORDS } from "../records/record.ts";
import { publicKeyInfoOf, signerStatus } from "../signer.ts";

const PUBLIC_KEY = bytesToHex(publicKeyOf(3, 2));
const CHANGE = {
  kind: "key-refresh",
  publicKey: PUBLIC_KEY,
  epoch: 1,
  threshold: 2,
  parties: [1, 2, 3],
} as const;

const authorise = (change: Partial<KeyChangeWish> = {}): SignedAuthorisation =>
  authoriseKeyChange({ ...CHANGE, ...change });

let cluster: TestCluster;
beforeEach(() => {
  cluster = new TestCluster({ seed: "key-change", size: 3, threshold: 2, engine: "tiny" });
});

/** What signer 1 says last, when nobody else takes part. */
const ask = (event: (call: CallId) => Told, forMs = 100) => {
  const { heard } = cluster.call(1, event);
  cluster.rest(forMs);
  return heard.at(-1);
};

const refresh = (authorisation: SignedAuthorisation, session = "refresh") =>
  ask((call) => ({
    kind: "key-refresh",
    call,
    session: testSessionId(session),
    authorisation,
    expiresAtMs: cluster.schedule.now() + 5_000,
  }));

const infoOf = (signer: number): Uint8Array => {
  const { state } = cluster.node(signer);
  const info = state === undefined ? undefined : publicKeyInfoOf(state, KEY_ID);
  if (info === undefined) throw new Error("no key");
  return info;
};

const reshare = (dealers: readonly number[], info = infoOf(2), change: Partial<KeyChangeWish> = {}) =>
  ask((call) => ({
    kind: "key-reshare",
    call,
    session: testSessionId("reshare"),
    authorisation: authorise({ kind: "key-reshare", ...change }),
    dealers,
    info,
    expiresAtMs: cluster.schedule.now() + 5_000,
  }));

const refusal = (code: string) => ({ kind: "refusal", problem: { code } });
const RUNNING = { kind: "progress" };

describe("a signer begins a refresh", () => {
  test("that the authority asks for, of this key in this epoch, among the whole roster", () => {
    expect(refresh(authorise())).toMatchObject(RUNNING);
  });

  test.each<[string, SignedAuthorisation, string]>([
    ["another epoch", authorise({ epoch: 2 }), "KeyUnknown"],
    ["another public key", authorise({ publicKey: "02".repeat(33) }), "AuthorisationInvalid"],
    ["another threshold", authorise({ threshold: 3 }), "QuorumInvalid"],
    ["a part of the roster", authorise({ parties: [1, 2] }), "QuorumInvalid"],
    ["a key that it does not have", authoriseKeyChange({ ...CHANGE, keyId: keyIdOf(9) }), "KeyUnknown"],
    ["a reshare", authorise({ kind: "key-reshare" }), "AuthorisationInvalid"],
    ["a new key", authoriseKey(KEY_ID, 2), "AuthorisationInvalid"],
    ["nothing: it is not signed", { ...authorise(), signature: new Uint8Array(64) }, "AuthorisationInvalid"],
  ])("INV-8 and refuses an authorisation of %s", (_, authorisation, code) => {
    expect(refresh(authorisation)).toMatchObject(refusal(code));
  });

  test("INV-8 and refuses an authorisation that is an hour old", () => {
    cluster.rest(KEY_CHANGE_AGE_MS_MAX);
    expect(cluster.schedule.now()).toBeGreaterThanOrEqual(START_MS + KEY_CHANGE_AGE_MS_MAX);
    expect(refresh(authorise())).toMatchObject(refusal("AuthorisationInvalid"));
  });

  test("once: an authorisation is spent with the epoch that it names", () => {
    const changed = refreshOn(cluster);
    cluster.until(() => changed.isClosed);
    expect(refresh(authorise())).toMatchObject(refusal("KeyEpochMismatch"));
  });

  test("one at a time", () => {
    refresh(authorise());
    expect(refresh(authorise(), "another")).toMatchObject(refusal("KeyChangePending"));
  });
});

describe("a signer begins a reshare", () => {
  const lose = (): void => {
    cluster.kill(1);
    cluster.node(1).records.delete(RECORDS.key.name(KEY_ID));
    cluster.restart(1);
  };

  test("without a share of the key, of what the request says is public of it", () => {
    lose();
    expect(reshare([2, 3])).toMatchObject(RUNNING);
  });

  test("but not as a dealer that has nothing to deal", () => {
    lose();
    expect(reshare([1, 2])).toMatchObject(refusal("KeyUnknown"));
  });

  test.each<[string, readonly number[]]>([
    ["too few", [2]],
    ["too many", [1, 2, 3]],
    ["not in order", [3, 2]],
    ["not of the roster", [2, 4]],
    ["the same twice", [2, 2]],
  ])("and refuses dealers that are %s", (_, dealers) => {
    expect(reshare(dealers)).toMatchObject(refusal("QuorumInvalid"));
  });

  test("and refuses public info that is none, too long, or of another epoch than is authorised", () => {
    expect(reshare([2, 3], new Uint8Array(50))).toMatchObject(refusal("InvalidBody"));
    expect(reshare([2, 3], new Uint8Array(PUBLIC_INFO_BYTES_MAX + 1))).toMatchObject(refusal("InvalidBody"));
    lose();
    expect(reshare([2, 3], infoOf(2), { epoch: 2 })).toMatchObject(refusal("InvalidBody"));
  });
});

describe("a share of the next epoch", () => {
  const sessionMade = (): string => {
    const { state } = cluster.node(1);
    const [next] = state === undefined ? [] : signerStatus(state).next;
    return next?.session ?? "";
  };
  const epochOf = () => {
    const { state } = cluster.node(1);
    return state === undefined ? undefined : signerStatus(state).keys[0]?.epoch;
  };

  beforeEach(() => {
    const changed = refreshOn(cluster);
    cluster.until(() => sessionMade() !== "");
    changed.die();
  });

  test("is discarded when the authority says so of the session that made it", () => {
    const authorisation = authoriseKeyDiscard(sessionMade());
    const said = ask((call) => ({ kind: "discard-key", call, keyId: KEY_ID, authorisation }));
    expect(said).toMatchObject({ kind: "key-state", state: "active", epoch: 1 });
    expect(sessionMade()).toBe("");
  });

  test("is not discarded without the authority, nor by the name of another session or key", () => {
    const made = sessionMade();
    const forged = { ...authoriseKeyDiscard(made), signature: new Uint8Array(64) };
    const others: readonly (SignedAuthorisation | undefined)[] = [
      undefined,
      forged,
      authoriseKeyDiscard("ab".repeat(32)),
      authoriseKeyDiscard(made, keyIdOf(9)),
      authorise(),
    ];
    for (const authorisation of others) {
      const which = authorisation === undefined ? {} : { authorisation };
      ask((call) => ({ kind: "discard-key", call, keyId: KEY_ID, ...which }));
    }
    expect(sessionMade()).toBe(made);
  });

  test("becomes active by its epoch alone: whoever activates the key as it was generated leaves it", () => {
    const activate = (epoch?: number) =>
      ask((call) => ({
        kind: "activate-key",
        call,
        keyId: KEY_ID,
        ...(epoch === undefined ? {} : { epoch }),
      }));
    expect(activate()).toMatchObject({ state: "active", epoch: 1 });
    expect(activate(3)).toMatchObject({ state: "active", epoch: 1 });
    expect(epochOf()).toBe(1);
    expect(activate(2)).toMatchObject({ state: "active", epoch: 2 });
    expect(activate(2)).toMatchObject({ state: "active", epoch: 2 });
    expect(epochOf()).toBe(2);
  });

  test("keeps others from beginning until it is settled", () => {
    expect(refresh(authorise())).toMatchObject(refusal("KeyChangePending"));
  });
});
