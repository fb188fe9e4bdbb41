import { describe, expect, test } from "vitest";
import { authorise, authorisedActSchema, REPLACED_MAX } from "./act.ts";
import { deadTransactionsSchema } from "./dead-transactions.ts";

const id = (prefix: string): string => `${prefix}-aaaaa-bbbbb-0000000000000001`;
const date = "2026-11-20T00:00:00.000Z";
const to = `0x${"ab".repeat(20)}`;
const common = {
  orgId: id("or"),
  walletId: id("wa"),
  keyId: id("key"),
  network: "Ethereum",
  policy: { outcome: "Allowed", policies: [], date },
  dateRequested: date,
};
const transfer = { kind: "Native", to, amount: "5" };
const call = { kind: "Call", to, value: "5", data: "" };
const current = { ...common, version: 2, cosigners: [] };
const moving = { ...current, kind: "transfer", requestId: id("xfr"), transfer };
const calling = { ...current, kind: "transaction", requestId: id("tx"), transaction: call };
const { cosigners: _none, ...plain } = moving;
const oldMoving = { ...plain, version: 1 };
const { cosigners: _nobody, ...bare } = calling;
const oldCalling = { ...bare, version: 1 };

const refused = (act: unknown) => !authorisedActSchema.safeParse(act).success;

describe("an authorised act", () => {
  test("is the act that was judged, with the decision", () => {
    const act = authorisedActSchema.parse(moving);
    const { policy, ...judged } = act;
    expect(authorise(judged, policy)).toEqual(moving);
    expect(authorisedActSchema.parse(calling)).toEqual(calling);
  });

  test.each([
    ["without a decision", { ...moving, policy: undefined }],
    ["with more than it says", { ...moving, digest: "00" }],
    ["of a version that is not known", { ...moving, version: 3 }],
    ["of two cosigners that are not keys", { ...moving, cosigners: [id("wa")] }],
    [
      "of more cosigners than there are schemes for",
      { ...moving, cosigners: Array.from({ length: 16 }, () => id("key")) },
    ],
    ["in the place of nothing", { ...calling, replaces: [] }],
    [
      "in the place of more than a replacement chain holds",
      { ...calling, replaces: Array.from({ length: REPLACED_MAX + 1 }, () => id("tx")) },
    ],
    ["of version 1 with the fields of version 2", { ...moving, version: 1 }],
  ])("INV-8 is not %s", (_name, act) => {
    expect(refused(act)).toBe(true);
  });
});

describe("an act that version 0.1 authorised", () => {
  test("INV-5 is read as the act that means the same", () => {
    expect(authorisedActSchema.parse(oldMoving)).toEqual(moving);
    expect(authorisedActSchema.parse(oldCalling)).toEqual(calling);
  });

  test("INV-4 names the replaced transaction's account nonce in its own transaction", () => {
    const replaces = { requestId: id("xfr"), nonce: 7 };
    expect(authorisedActSchema.parse({ ...oldCalling, replaces })).toEqual({
      ...calling,
      transaction: { ...call, nonce: 7 },
      replaces: [id("xfr")],
    });
  });

  test("INV-4 is refused when its transaction's account nonce differs from the replaced one's", () => {
    const replaces = { requestId: id("xfr"), nonce: 7 };
    expect(refused({ ...oldCalling, transaction: { ...call, nonce: 8 }, replaces })).toBe(true);
  });
});

describe("the authority's word on dead transactions", () => {
  const statement = {
    version: 1,
    kind: "dead-transactions",
    requestId: id("xfr"),
    network: "Ethereum",
    transactions: ["ab".repeat(32)],
    dateRequested: date,
  };

  test("names each by the hash of its bytes", () => {
    expect(deadTransactionsSchema.parse(statement)).toEqual(statement);
  });

  test.each([
    ["about nothing", { transactions: [] }],
    ["about more than there may be", { transactions: Array.from({ length: 65 }, () => "ab".repeat(32)) }],
    ["about half a hash", { transactions: ["ab".repeat(31)] }],
    ["with more than it says", { deadlineMs: 1 }],
    ["of another kind", { kind: "transfer" }],
  ])("INV-4 is not %s", (_name, change) => {
    expect(deadTransactionsSchema.safeParse({ ...statement, ...change }).success).toBe(false);
  });
});
