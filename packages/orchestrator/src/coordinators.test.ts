import { SEPOLIA, TEST_SECRET_KEY, testAccount } from "@conclave/chains/testing";
import { FINAL_REPORTS_MS, type ReadyPresignature, SIGNING_ATTEMPT_MS } from "@conclave/cluster";
import { ok, problem } from "@conclave/custody";
import { makeIdentity, makeLogger, makePassphrase } from "@conclave/platform";
import { Signers } from "@conclave/platform/coordination";
import { processWorld } from "@conclave/platform/world";
import type { PartyIndex } from "@conclave/threshold";
import { testParty } from "@conclave/threshold/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { judgeSigned } from "./chain-requests/judge-signed.ts";
import { type CoordinatedRoster, Coordinators } from "./coordinators.ts";
import { FakeSigners } from "./testing/fake-signers.ts";
import { keyInfoOf } from "./testing/key-info.ts";

const KEY = "key-aaaaa-bbbbb-0000000000000001";
const REQUEST = "tx-aaaaa-bbbbb-0000000000000001";
const date = "2026-11-20T00:00:00.000Z";
const passphrase = makePassphrase();
const [ONE, TWO] = [testParty(1), testParty(2)];
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const roster = {
  clusterId: "test",
  threshold: 2,
  signers: [1, 2, 3].map((index) => {
    const { identityKey, encryptionKey, importKey } = makeIdentity(passphrase);
    const keys = {
      identityKey: hex(identityKey),
      encryptionKey: hex(encryptionKey),
      importKey: hex(importKey),
    };
    return { index, id: `signer-${index}`, address: "127.0.0.1:1", ...keys };
  }),
};

const network = { ...SEPOLIA, family: "Evm", rpcUrl: "http://127.0.0.1:1", confirmations: 1 } as const;
const account = testAccount(TEST_SECRET_KEY);
let fake: FakeSigners;
let signers: Signers;
let coordinators: Coordinators;
let lines: string[];

beforeEach(async () => {
  fake = new FakeSigners(3, account, network);
  signers = new Signers(processWorld, roster, fake.signers);
  signers.start();
  lines = [];
  const destination = { write: (line: string) => lines.push(line) };
  const logger = makeLogger({ name: "test", level: "debug", destination });
  coordinators = new Coordinators(
    processWorld,
    roster,
    signers,
    ({ verdict }) => expect.fail(verdict.check),
    logger,
  );
  await new Promise<void>((resolve) => {
    signers.onChange(() => {
      if (signers.live().length === 3) resolve();
    });
  });
});
afterEach(async () => {
  await coordinators.stop();
  signers.close();
});

const lineSchema = z.object({
  event: z.string(),
  signer: z.number(),
  session: z.string(),
  keyId: z.string(),
  requestId: z.string(),
  attempt: z.number(),
});

/** Fake signers do not verify the authority's signature. */
const authorise = (request: object) => {
  const facts = { version: 1, orgId: "or-aaaaa-bbbbb-0000000000000001", keyId: KEY, dateRequested: date };
  const policy = { outcome: "Allowed", policies: [], date };
  const payload = Buffer.from(JSON.stringify({ ...facts, policy, ...request }));
  return { payload, signature: new Uint8Array(64) };
};

const importing = (envelopes: ReadonlyMap<PartyIndex, Uint8Array>) => {
  const shares = fake.signers.map(() => ({ signerId: "AAAA", digest: "ab".repeat(32) }));
  const terms = { scheme: "ECDSA", protocol: "CGGMP24", curve: "secp256k1", threshold: 2, shares };
  const requestId = "kim-aaaaa-bbbbb-0000000000000001";
  const authorisation = authorise({ kind: "key-import", requestId, ...terms });
  return coordinators.importKey({
    keyId: KEY,
    authorisation,
    held: new Map(),
    yields: true,
    envelopes,
    taken: new Map(),
  });
};
const envelopesOf = (bytes: Uint8Array) => new Map(fake.signers.map(({ index }) => [index, bytes]));

const exporting = () => {
  const terms = { protocol: "CGGMP24", curve: "secp256k1", encryptionKey: `0102${"ab".repeat(32)}` };
  const requestId = "kex-aaaaa-bbbbb-0000000000000001";
  const authorisation = authorise({ kind: "key-export", requestId, withChainCode: false, ...terms });
  const holders = coordinators.holders.ofNewKeys;
  return coordinators.exportKey({ keyId: KEY, requestId, authorisation, holders });
};

test("a signer counts as away once it has been for so long, and not while it may be back in a moment", async () => {
  expect(await signers.awayFor(60_000)).toEqual([]);
  fake.kill(3);
  expect(signers.unavailable()).toEqual(["signer-3"]);
  const waited = signers.awayFor(60_000);
  // for a caller with less patience, it has been away for long
  expect(await signers.awayFor(0)).toEqual(["signer-3"]);
  fake.revive(3);
  expect(await waited).toEqual([]);
});

test("a caller that waits for enough signers goes on as soon as they are live, or once its patience ends", async () => {
  fake.kill(1, 2);
  await signers.enoughWithin(0);
  const waited = signers.enoughWithin(60_000).then(() => signers.live());
  fake.revive(2);
  expect(await waited).toEqual([2, 3]);
});

test("INV-5 signers whose clocks are a minute ahead are asked by their clocks next, and the log names one of them", async () => {
  const AHEAD_MS = 60_000;
  const deadlines: number[] = [];
  for (const signer of fake.signers) {
    signer.begin = (_session, { expiresAtMs }, listener) => {
      deadlines.push(expiresAtMs);
      const clockMs = Date.now() + AHEAD_MS;
      if (expiresAtMs <= clockMs) {
        listener.report({ kind: "refusal", problem: problem("SessionExpired", { clockMs }) });
      } else listener.lost("it took the deadline, and was killed");
      return { cancel: () => undefined };
    };
  }
  const presigned = () => coordinators.presign({ keyId: KEY, signers: [ONE, TWO] });
  expect(await presigned()).toMatchObject({ problem: { code: "SessionExpired" } });
  expect(await presigned()).toMatchObject({ problem: { code: "ServiceUnavailable" } });
  await coordinators.stop();
  const [first = 0, second = 0] = [deadlines[0], deadlines.at(-1)];
  expect(second - first).toBeGreaterThanOrEqual(AHEAD_MS);
  const clocks = lines.filter((line) => line.includes("its clock is another"));
  expect(clocks.map((line) => JSON.parse(line))).toMatchObject([{ signer: "signer-1" }]);
});

test("a client's key is active at all signers once all have taken it in, and can be handed out again", async () => {
  const taken = await importing(envelopesOf(Uint8Array.of(1))).outcome;
  expect(taken).toEqual({ kind: "done", value: { keyId: KEY, publicKey: account.publicKey } });
  const { keys } = fake.signers[0]?.store ?? expect.fail("there are signers");
  expect(keys.get(KEY)).toMatchObject({ state: "active", isImported: true });
  fake.kill(2);
  const given = await exporting().outcome;
  const envelopes = given.kind === "done" ? given.value.envelopes : expect.fail(given.kind);
  expect([...envelopes]).toEqual([
    [1, Uint8Array.of(1)],
    [3, Uint8Array.of(3)],
  ]);
});

test("invalid shares are reported to the client, each with its signer's id and field, and leave nothing", async () => {
  const run = importing(envelopesOf(new Uint8Array(0)));
  const issue = { signer: "signer-1", signerId: expect.any(String), field: "encryptedKeyShare" };
  expect(await run.outcome).toMatchObject({
    kind: "failed",
    problem: { code: "KeyImportRefused", details: { issues: [{ ...issue, code: "EnvelopeUnreadable" }] } },
  });
  await run.closed;
  expect(fake.signers.flatMap(({ store }) => [...store.keys.keys()])).toEqual([]);
});

test("a key that signers do not hold is not handed out", async () => {
  expect(await exporting().outcome).toMatchObject({ kind: "failed", problem: { code: "KeyUnknown" } });
});

test("nothing is asked of an import while a signer is away", async () => {
  fake.kill(3);
  const outcome = await importing(envelopesOf(Uint8Array.of(1))).outcome;
  expect(outcome).toMatchObject({
    problem: { code: "SignersUnavailable", details: { unavailable: ["signer-3"] } },
  });
  expect(fake.sessions).toBe(0);
});

describe("a signature", () => {
  const ready = (number: number, signers: readonly number[]): ReadyPresignature => ({
    id: number.toString(16).padStart(64, "0"),
    keyId: KEY,
    signers: fake.signers.map(({ index }) => index).filter((index) => signers.includes(index)),
    expiresAtMs: Date.now() + 60 * 60_000,
  });

  /** Draws from these presignatures; taken ones are removed. */
  const drawFrom = (stock: readonly ReadyPresignature[]) => {
    const left = [...stock];
    const taken: string[] = [];
    coordinators.drawFrom({
      noteUse: () => undefined,
      offer: () => [...left],
      take: (some) => {
        for (const each of some) left.splice(left.indexOf(each), 1);
        taken.push(some.map(({ signers: set }) => set.join("-")).join(" "));
      },
    });
    return taken;
  };

  /** Begins a signature that lasts until the coordinators stop, as its signers hang. */
  const begin = (count: number) => {
    for (const signer of fake.signers) signer.hangs = true;
    return sign(count);
  };

  const sign = (count: number) => {
    const signable = { scheme: "CGGMP24", bytes: new Uint8Array(32) } as const;
    const request = {
      requestId: REQUEST,
      keyId: KEY,
      authorisation: authorise({ kind: "transaction" }),
      unsigned: Uint8Array.of(1),
      signables: Array.from({ length: count }, () => signable),
      isChosen: false,
      dead: undefined,
      isSigned: () => true,
      isOneSigned: () => true,
    };
    return coordinators.sign(request, () => undefined);
  };

  test("INV-5 is made with a signer that had other auxiliary information when it began, once it has the same", async () => {
    const [one, two, three] = fake.signers;
    if (one === undefined || two === undefined || three === undefined) expect.fail("there are three");
    two.store.auxiliaryEpoch = 2;
    await signers.refresh();
    const asked: number[] = [];
    for (const signer of [one, two, three]) {
      signer.begin = (_session, _request, listener) => {
        asked.push(signer.index);
        if (signer === three) listener.report({ kind: "refusal", problem: problem("KeyUnknown") });
        return { cancel: () => undefined };
      };
    }
    void begin(1);
    expect(asked).toEqual([1, 3]);
    two.store.auxiliaryEpoch = 1;
    await signers.refresh();
    expect(asked).toEqual([1, 3, 1, 2]);
  });

  test("INV-7 leaves no signer out for going to new auxiliary information before or after others", async () => {
    for (const signer of fake.signers) signer.hangs = true;
    const all = coordinators.usable();
    for (let at = 0; at < 6; at += 1) void begin(1);
    for (const signer of fake.signers) {
      signer.store.auxiliaryEpoch = 2;
      await signers.refresh();
    }
    expect(coordinators.usable()).toEqual(all);
  });

  test("takes one presignature, and another only when its signers fail", () => {
    const taken = drawFrom([ready(1, [1, 2]), ready(2, [1, 2]), ready(3, [2, 3]), ready(4, [2, 3])]);
    void begin(1);
    expect(taken).toEqual(["1-2"]);
    fake.kill(1);
    expect(taken).toEqual(["1-2", "2-3"]);
  });

  test("is named in the lines of its sessions, with its key and the number of the attempt", () => {
    drawFrom([ready(1, [1, 2]), ready(2, [2, 3])]);
    void begin(1);
    fake.kill(1);
    const seen = lines.map((line) => lineSchema.parse(JSON.parse(line)));
    const [first, second] = [seen[0]?.session, seen.at(-1)?.session];
    expect(first).not.toBe(second);
    const of = { keyId: KEY, requestId: REQUEST };
    expect(seen).toEqual([
      { event: "session-begun", ...of, signer: 1, session: first, attempt: 1 },
      { event: "session-begun", ...of, signer: 2, session: first, attempt: 1 },
      { event: "session-lost", ...of, signer: 1, session: first, attempt: 1 },
      { event: "session-begun", ...of, signer: 2, session: second, attempt: 2 },
      { event: "session-begun", ...of, signer: 3, session: second, attempt: 2 },
    ]);
  });

  test("of several inputs takes as many, all of one set, and none when no set has so many", () => {
    const taken = drawFrom([ready(1, [1, 2]), ready(2, [2, 3]), ready(3, [2, 3])]);
    void begin(2);
    expect(taken).toEqual(["2-3 2-3"]);
    void begin(2);
    expect(taken).toHaveLength(1);
  });

  test("that always fails leaves the stock to others after three", async () => {
    const taken = drawFrom(
      [
        [1, 2],
        [2, 3],
        [1, 2],
        [2, 3],
      ].map((signers, at) => ready(at, signers)),
    );
    void begin(1);
    for (const dead of [1, 3, 1]) {
      fake.kill(dead);
      fake.revive(dead);
      await expect.poll(() => signers.live().length).toBe(3);
    }
    expect(taken).toEqual(["1-2", "2-3", "1-2"]);
    expect(coordinators.begun).toBe(1);
  });

  test("that has no presignature waits when four presign for themselves, and one that has begins", async () => {
    const four = Array.from({ length: 4 }, () => begin(1));
    expect(fake.sessions).toBe(8);
    expect(await begin(1)).toEqual({ kind: "stopped" });
    expect(fake.sessions).toBe(8);
    const taken = drawFrom([ready(1, [1, 2])]);
    void begin(1);
    expect([fake.sessions, taken]).toEqual([10, ["1-2"]]);
    await coordinators.stop();
    expect(await Promise.all(four)).toEqual(Array(4).fill({ kind: "stopped" }));
  });

  test("that passes its deadline makes room: signers that are behind work for one until they keep up", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    try {
      let ended = 0;
      for (let count = 0; count < 4; count++) {
        void begin(1).then(() => {
          ended += 1;
        });
      }
      await vi.advanceTimersByTimeAsync(SIGNING_ATTEMPT_MS + FINAL_REPORTS_MS);
      expect(ended).toBe(3);
      const before = fake.sessions;
      expect(await begin(1)).toEqual({ kind: "stopped" });
      expect(fake.sessions).toBe(before);
    } finally {
      vi.useRealTimers();
    }
  });

  describe("with a key that was moved", () => {
    /** Makes the signers sign only with quorums of this size, and answer with these holders of the key. */
    const hold = (quorumSize: number, holders: readonly [threshold: number, parties: readonly number[]]) => {
      const asked: string[] = [];
      let questions = 0;
      for (const signer of fake.signers) {
        signer.begin = (_session, command, listener) => {
          const { quorum } = command.kind === "signing" ? command : expect.fail(command.kind);
          asked.push(quorum.join("-"));
          const report =
            quorum.length === quorumSize
              ? ({ kind: "signed", signatures: [account.sign(new Uint8Array(32))] } as const)
              : ({ kind: "refusal", problem: problem("QuorumInvalid") } as const);
          queueMicrotask(() => listener.report(report));
          return { cancel: () => undefined };
        };
        signer.getKeyInfo = async () => {
          questions += 1;
          return ok(keyInfoOf(KEY, ...holders));
        };
      }
      return { asked: () => asked, questions: () => questions };
    };

    test("INV-5 goes on at once among the holders that the signers name, and later ones begin with these", async () => {
      const held = hold(3, [3, [1, 2, 3]]);
      expect(await sign(1)).toMatchObject({ kind: "done", value: { quorum: [1, 2, 3], attempts: 1 } });
      expect(held.questions()).toBe(3);
      const before = held.asked().length;
      expect(await sign(1)).toMatchObject({ kind: "done" });
      expect(held.asked().slice(before)).toEqual(["1-2-3", "1-2-3", "1-2-3"]);
      expect(held.questions()).toBe(3);
    });

    test("is begun anew once: where others hold it by then, the request goes back to its queue", async () => {
      const held = hold(4, [3, [1, 2, 3]]);
      expect(await sign(1)).toMatchObject({ kind: "failed", problem: { code: "QuorumInvalid" } });
      expect(held.asked().filter((quorum) => quorum === "1-2-3")).toHaveLength(3);
      expect(held.questions()).toBe(3);
    });

    test("is not begun anew where the signers name the same holders", async () => {
      const held = hold(3, [2, [1, 2, 3]]);
      expect(await sign(1)).toMatchObject({ kind: "failed", problem: { code: "QuorumInvalid" } });
      expect(held.questions()).toBe(3);
      expect(held.asked()).toHaveLength(4); // two quorums, the second without the signer that refused first
    });
  });
});

describe("the signers' word on a request of before, after the roster changed", () => {
  const DAY_MS = 24 * 60 * 60_000;
  type Past = Partial<Pick<CoordinatedRoster, "threshold" | "changes" | "renewals">>;
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const renewalOf = (signer: number, days: number) => ({
    renewals: [{ signer, identityKey: "ab".repeat(32), date: daysAgo(days), signature: "" }],
  });
  const change = (days: number, threshold: number, left: readonly number[] = []) => ({
    renewals: 0,
    threshold,
    added: [],
    removed: left.map((index) => ({
      index,
      id: `signer-${index}`,
      identityKey: "cd".repeat(32),
      reason: { why: "left" } as const,
    })),
    date: daysAgo(days),
    signature: "",
  });

  /**
   * The verdict on a request of this many days ago, for which these signers of five name bytes, and the other answering
   * signers none.
   */
  const verdict = async (past: Past, days: number, naming: readonly number[], heard = [1, 2, 3, 4, 5]) => {
    const [one = expect.fail()] = roster.signers;
    const five = [1, 2, 3, 4, 5].map((index) => ({ ...one, index, id: `signer-${index}` }));
    const changed = { ...roster, threshold: 3, signers: five, ...past };
    const few = new Signers(processWorld, changed, []);
    const judging = new Coordinators(
      processWorld,
      changed,
      few,
      () => undefined,
      makeLogger({ name: "test", level: "silent" }),
    );
    const { answers: _, ...asked } = judging.askSigned({
      requestId: REQUEST,
      requestedAtMs: Date.now() - days * DAY_MS,
    });
    await judging.stop();
    few.close();
    const answers = heard.map((index) => ({
      isBound: naming.includes(index),
      isWhole: true,
      transactions: naming.includes(index) ? [Uint8Array.of(1)] : [],
    }));
    return judgeSigned({ ...asked, open: 0, isDead: () => false, answers })?.kind;
  };

  test("INV-4 takes nothing for unsigned that two signers name, where the third has a new identity since", async () => {
    expect(await verdict(renewalOf(3, 1), 2, [1, 2])).toBe("unsure");
    expect(await verdict({}, 2, [1, 2])).toBe("nothing");
  });

  test("INV-4 takes nothing for unsigned that was signed with a key which a long change had not moved yet", async () => {
    expect(await verdict({ threshold: 4, changes: [change(4, 3)] }, 2, [1, 2, 3])).toBe("bytes");
    const left = { threshold: 4, changes: [change(4, 3), change(1, 4, [6])] };
    expect(await verdict(left, 2, [1, 2])).not.toBe("nothing");
  });

  test("INV-5 takes over bytes that a whole quorum names, though another signer has a new identity since", async () => {
    expect(await verdict(renewalOf(4, 1), 2, [1, 2, 3])).toBe("bytes");
  });

  test("INV-5 asks no more signers where the request came days after the renewal", async () => {
    expect(await verdict(renewalOf(4, 10), 2, [], [1, 2, 4])).toBe("nothing");
  });
});
