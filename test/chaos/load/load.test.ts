import { createHmac } from "node:crypto";
import type { RawAnswer } from "@conclave/testbed";
import { describe, expect, it } from "vitest";
import { askedTransfers } from "./asked-transfer.ts";
import { type CalledGateway, callPersistently } from "./persistent-call.ts";
import { noteShown, readOnceMore, stagesOf } from "./poller.ts";
import { LoadRecord } from "./record.ts";
import { contentText, isDeliverySigned, WebhookEar } from "./webhook-ear.ts";

const NETWORKS = ["EthereumSepolia", "Stellar", "Algorand", "Bitcoin", "Solana", "Tron", "XrpLedger"];
const OPTIONS = { seed: 5, perSecond: 20, lastsMs: 10_000, networks: NETWORKS, wallets: 4 };

describe("the requests of a load", () => {
  const asked = askedTransfers(OPTIONS);

  it("follows from the seed alone", () => {
    expect(askedTransfers(OPTIONS)).toEqual(asked);
    expect(askedTransfers({ ...OPTIONS, seed: 6 })).not.toEqual(asked);
  });

  it("comes at its rate", () => {
    expect(asked).toHaveLength(200);
    expect(asked.slice(0, 3).map(({ atMs }) => atMs)).toEqual([0, 50, 100]);
  });

  it("is of every network, wallet and verdict, and some receivers are paid twice", () => {
    expect(new Set(asked.map(({ network }) => network))).toEqual(new Set(NETWORKS));
    expect(new Set(asked.map(({ payer }) => payer)).size).toBe(OPTIONS.wallets);
    expect(new Set(asked.map(({ verdict }) => verdict))).toEqual(new Set(["free", "approved", "denied"]));
    expect(new Set(asked.map(({ to }) => to)).size).toBeLessThan(asked.length);
  });

  it("has an amount of its own each time on a network", () => {
    const names = asked.map(({ network, amount }) => `${network} ${amount}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

const signal = new AbortController().signal;
const answering = (
  ...answers: readonly (RawAnswer | Error)[]
): CalledGateway & { readonly bodies: unknown[] } => {
  const bodies: unknown[] = [];
  return {
    bodies,
    send: async (_method, _path, body) => {
      bodies.push(body);
      const answer = answers[bodies.length - 1];
      if (answer === undefined) throw new Error("it was called once more");
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
};
const call = { method: "POST", path: "/wallets", body: { externalId: "load-1-1" } };

describe("a call that is repeated until it has an answer", () => {
  it("INV-5 says the same to the next gateway when an answer is lost", async () => {
    const [dead, live] = [answering(new TypeError("reset")), answering({ status: 200, body: { id: "xfr" } })];
    const answer = await callPersistently([dead, live], call, { first: 0, signal });
    expect(answer).toEqual({ status: 200, body: { id: "xfr" }, calls: 2 });
    expect([dead.bodies, live.bodies]).toEqual([[call.body], [call.body]]);
  });

  it.each([429, 500, 503])("goes on after %i, and tells of it", async (status) => {
    const heard: number[] = [];
    const gateway = answering({ status, body: {} }, { status: 200, body: {} });
    const onAnswer = (one: RawAnswer) => heard.push(one.status);
    expect(await callPersistently([gateway], call, { first: 0, signal, onAnswer })).toMatchObject({
      calls: 2,
    });
    expect(heard).toEqual([status, 200]);
  });

  it("asks again when nothing is answered for too long", async () => {
    const mute: CalledGateway = { send: () => new Promise(() => undefined) };
    const live = answering({ status: 200, body: {} });
    const answer = await callPersistently([mute, live], call, { first: 0, signal, answerMs: 1 });
    expect(answer?.calls).toBe(2);
  });

  it("takes a 4xx for an answer", async () => {
    const answer = await callPersistently([answering({ status: 400, body: {} })], call, { first: 0, signal });
    expect(answer).toMatchObject({ status: 400, calls: 1 });
  });

  it("ends without one when the load is stopped", async () => {
    const ending = new AbortController();
    const gateway: CalledGateway = {
      send: async () => {
        ending.abort();
        throw new TypeError("reset");
      },
    };
    expect(await callPersistently([gateway], call, { first: 0, signal: ending.signal })).toBeUndefined();
  });
});

const newRecord = async () => {
  const ear = await WebhookEar.listen(() => 1, 0);
  await ear.close();
  return new LoadRecord({ seed: 1, orgId: "or", approverId: "us", beganAtMs: 0, wallets: [] }, ear);
};

describe("the observations of a load", () => {
  it.each([
    ["Pending", undefined, ["accepted"]],
    ["Executing", undefined, ["accepted"]],
    ["Executing", "hash", ["accepted", "signed"]],
    ["Broadcasted", "hash", ["accepted", "signed", "broadcast"]],
    ["Confirmed", "hash", ["accepted", "signed", "broadcast", "confirmed"]],
  ] as const)("of %s with the hash %s is so far", (status, txHash, stages) => {
    expect(stagesOf({ id: "xfr", status, txHash })).toEqual(stages);
  });

  it("keeps the first time of each stage, and takes an end back that the chain took back", async () => {
    const [asked] = askedTransfers(OPTIONS);
    const record = await newRecord();
    const request = record.add(asked ?? expect.fail("it asks"), "wa");
    noteShown(request, { id: "xfr", status: "Confirmed", txHash: "hash" }, 10);
    expect(request.end).toMatchObject({ status: "Confirmed", atMs: 10 });
    noteShown(request, { id: "xfr", status: "Broadcasted", txHash: "hash" }, 20);
    expect(request.end).toBeUndefined();
    expect(request.seen).toEqual({ accepted: 10, signed: 10, broadcast: 10, confirmed: 10 });
    noteShown(request, { id: "xfr", status: "Executing", reason: "waiting for signers" }, 30);
    noteShown(request, { id: "xfr", status: "Executing", reason: "waiting for signers" }, 40);
    expect(request.states).toEqual([
      { words: "Confirmed", atMs: 10 },
      { words: "Broadcasted", atMs: 20 },
      { words: "Executing: waiting for signers", atMs: 30 },
    ]);
  });

  it("notes a 4xx and a 500 as wrong answers, and neither 429 nor 503", async () => {
    const record = await newRecord();
    for (const status of [200, 400, 404, 429, 500, 503]) record.note("POST /wallets", { status, body: {} });
    expect(record.wrongAnswers.map(({ status }) => status)).toEqual([400, 404, 500]);
  });
});

describe("a transfer that is read again", () => {
  const shown = { id: "xfr", status: "Confirmed", txHash: "hash" };
  const readFrom = async (answer: RawAnswer | Error) => {
    const record = await newRecord();
    const [asked] = askedTransfers(OPTIONS);
    const request = record.add(asked ?? expect.fail("it asks"), "wa");
    request.answer = { kind: "accepted", id: "xfr", atMs: 1 };
    await readOnceMore(record, [answering(answer)]);
    return { request, wrong: record.wrongAnswers.map(({ call, status }) => `${status} ${call}`) };
  };

  it("INV-9 notes an answer that a gateway must not give, and none that it may", async () => {
    expect((await readFrom({ status: 200, body: shown })).wrong).toEqual([]);
    expect((await readFrom({ status: 503, body: {} })).wrong).toEqual([]);
    expect((await readFrom(new TypeError("reset"))).wrong).toEqual([]);
    for (const status of [404, 500])
      expect((await readFrom({ status, body: {} })).wrong).toEqual([
        `${status} GET /wallets/wa/transfers/xfr`,
      ]);
  });

  it.each([{}, { ...shown, status: "Lost" }, { ...shown, id: "xfr-of-somebody" }])(
    "INV-9 notes an answer that shows no such transfer, and believes nothing of it: %j",
    async (body) => {
      const { request, wrong } = await readFrom({ status: 200, body });
      expect(wrong).toEqual(["200 GET /wallets/wa/transfers/xfr"]);
      expect(request.end).toBeUndefined();
    },
  );
});

const SECRET = "secret";
const signatureOf = (body: string) => `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;

describe("the receiver of webhooks", () => {
  it("tells right signatures from wrong ones", () => {
    expect(isDeliverySigned("{}", signatureOf("{}"), SECRET)).toBe(true);
    expect(isDeliverySigned("{ }", signatureOf("{}"), SECRET)).toBe(false);
    expect(isDeliverySigned("{}", "sha256=", SECRET)).toBe(false);
  });

  it("notes each delivery with the resource that it tells of, and what it answered", async () => {
    const draws = [0.9, 0.1];
    const ear = await WebhookEar.listen(() => draws.shift() ?? 1, 0.5);
    ear.secret = SECRET;
    const delivery = {
      kind: "wallet.created",
      date: "2026-11-20T00:00:00.000Z",
      data: { wallet: { id: "wa" } },
    };
    const body = JSON.stringify(delivery);
    for (const signature of [signatureOf(body), "sha256=00"]) {
      await fetch(ear.url, { method: "POST", body, headers: { "x-dfns-webhook-signature": signature } });
    }
    await ear.close();
    const { kind, date } = delivery;
    const content = '{"wallet":{"id":"wa"}}';
    expect(ear.heard).toEqual([
      { kind, date, resourceId: "wa", content, isSignedRight: true, answered: 200 },
      { kind, date, resourceId: "wa", content, isSignedRight: false, answered: 500 },
    ]);
  });

  it("INV-6 writes its notifications the same way in any order of arrival", () => {
    const [one, other] = [
      { b: [{ d: 1, c: null }], a: { f: "x", e: 2 } },
      { a: { e: 2, f: "x" }, b: [{ c: null, d: 1 }] },
    ];
    expect(contentText(one)).toBe(contentText(other));
    expect(contentText({ a: [1, 2] })).not.toBe(contentText({ a: [2, 1] }));
  });
});
