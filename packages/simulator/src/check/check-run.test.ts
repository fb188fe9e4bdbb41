import { organisationIdSchema, transferIdSchema } from "@conclave/custody";
import { processWorld } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import { checkRun, type RunFacts } from "./check-run.ts";
import type { EndedTransfer } from "./ended-transfer.ts";

const REQUESTED = { kind: "wallet.transfer.requested" } as const;
const CONFIRMED = { kind: "wallet.transfer.confirmed" } as const;
const FAILED = { kind: "wallet.transfer.failed" } as const;

const paid: EndedTransfer = {
  id: "xfr-1",
  status: "Confirmed",
  reason: undefined,
  amount: 5n,
  arrived: 5n,
  undone: 0,
  events: [REQUESTED, CONFIRMED],
};
const TRANSFER = processWorld.freshId(transferIdSchema, "xfr");
const SIGNATURE = { keyId: "key-1", presignature: "aa", digest: "01" };
const clean: RunFacts = {
  asked: [],
  stored: [],
  unnoticed: [],
  webhooks: [],
  tried: [],
  heard: [],
  owners: [],
  rows: [],
  secrets: [],
  said: [],
  blame: { faults: [], quarantines: [], reached: {} },
  transfers: [paid],
  made: [SIGNATURE],
  failures: [],
  seen: [],
};

const violated = (change: Partial<RunFacts>): readonly string[] =>
  checkRun({ ...clean, ...change }).map(({ invariant }) => invariant);
const ofTransfer = (change: Partial<EndedTransfer>): readonly string[] =>
  violated({ transfers: [{ ...paid, ...change }] });

describe("a run that kept every invariant", () => {
  it("has no finding, whether its transfer was paid or failed", () => {
    expect(checkRun(clean)).toEqual([]);
    expect(ofTransfer({ status: "Failed", arrived: 0n, events: [REQUESTED, FAILED] })).toEqual([]);
  });

  it("may report a confirmation again as often as its payment was undone", () => {
    const events = [REQUESTED, CONFIRMED, CONFIRMED];
    expect(ofTransfer({ events, undone: 1 })).toEqual([]);
    expect(ofTransfer({ events: [...events, CONFIRMED], undone: 1 })).toEqual(["INV-6"]);
  });
});

describe("a run is found to violate", () => {
  it("INV-2 by a presignature that signed two digests", () => {
    expect(violated({ made: [SIGNATURE, { ...SIGNATURE, digest: "02" }] })).toEqual(["INV-2"]);
    expect(violated({ made: [SIGNATURE, { ...SIGNATURE, presignature: "bb", digest: "02" }] })).toEqual([]);
  });

  it("coins by a transfer that failed because another one took its coin", () => {
    const failed = { status: "Failed", arrived: 0n, events: [REQUESTED, FAILED] };
    const reason = "aa has spent its coin bb:0 in block 7; this one can never land";
    expect(ofTransfer({ ...failed, reason })).toEqual(["coins"]);
    expect(ofTransfer({ ...failed, reason: "the wallet has too little" })).toEqual([]);
  });

  it.each([
    ["is confirmed and paid twice", { arrived: 10n }],
    ["is confirmed and not paid", { arrived: 0n }],
    ["failed and was paid", { status: "Failed", events: [REQUESTED, FAILED] }],
  ])("INV-4 by a transfer that %s", (_, change) => {
    expect(ofTransfer(change)).toEqual(["INV-4"]);
  });

  it.each([
    ["waits for ever", { status: "Executing", arrived: 0n, events: [REQUESTED] }],
    ["is gone", { status: undefined, arrived: 0n, events: [REQUESTED] }],
  ])("INV-5 by a transfer that %s", (_, change) => {
    expect(ofTransfer(change)).toEqual(["INV-5"]);
  });

  it.each([
    ["was not reported as requested", [CONFIRMED]],
    ["was not reported as confirmed", [REQUESTED]],
    ["was reported as confirmed twice", [REQUESTED, CONFIRMED, CONFIRMED]],
    ["was reported as failed, too", [REQUESTED, CONFIRMED, FAILED]],
  ])("INV-6 by a transfer that %s", (_, events) => {
    expect(ofTransfer({ events })).toEqual(["INV-6"]);
  });

  it("that no process ends by an error", () => {
    expect(violated({ failures: [{ process: "signer-1", error: new Error("a fault") }] })).toEqual([
      "process",
    ]);
  });

  it("INV-7 by a fault that is on record", () => {
    const faults = [{ culprit: 1, reporter: 2, checkName: "presign/2" }];
    expect(violated({ blame: { ...clean.blame, faults } })).toEqual(["INV-7"]);
  });

  it("INV-9 INV-10 INV-11 by what clients were answered, by rows, and by texts", () => {
    const orgId = processWorld.freshId(organisationIdSchema, "or");
    const request = { name: "a wallet", isForeign: false, orgId, answers: ["accepted"] } as const;
    expect(violated({ tried: [request, { ...request, isForeign: true }] })).toEqual(["INV-9", "INV-11"]);
    expect(violated({ rows: [{ table: "keys", id: "key-1" }] })).toEqual(["INV-9"]);
    const heard = [{ orgId: "or-1", asked: "lists", text: "wa-1" }];
    expect(violated({ heard, owners: [{ orgId: "or-2", ids: ["wa-1"] }] })).toEqual(["INV-11"]);
    const secret = { name: "a key", bytes: new Uint8Array(32).fill(65) };
    const said = [{ where: "a log", text: "A".repeat(50) }];
    expect(violated({ secrets: [secret], said })).toEqual(["INV-10"]);
  });

  it("finds a signer that runs although its store lost an entry", () => {
    expect(violated({ unnoticed: [{ name: "signer-1" }] })).toEqual(["store"]);
  });

  it("INV-4 finds a transfer in the database that answers no request, once all are answered", () => {
    const answered = { externalId: "transfer-1", attempts: 1, ids: new Set([TRANSFER]), refusal: undefined };
    expect(violated({ asked: [answered], stored: [TRANSFER] })).toEqual([]);
    expect(violated({ asked: [answered], stored: [TRANSFER, "xfr-2"] })).toEqual(["INV-4"]);
    const open = { ...answered, ids: new Set<typeof TRANSFER>() };
    expect(violated({ asked: [open], stored: ["xfr-2"] })).toEqual(["INV-5"]);
  });

  it("INV-6 excuses no repeated request by undone blocks", () => {
    const events = [REQUESTED, REQUESTED, CONFIRMED];
    expect(ofTransfer({ events, undone: 1 })).toEqual(["INV-6"]);
  });
});
