import { describe, expect, it } from "vitest";
import {
  organisationIdSchema,
  transactionIdSchema,
  transferIdSchema,
  userIdSchema,
  walletIdSchema,
} from "../identifiers.ts";
import { networkSchema } from "../network.ts";
import { type ChainRequest, type Transaction, type Transfer, UNTOUCHED } from "./chain-request.ts";
import {
  ACTS_BY_STAGE,
  judgeOwnersAct,
  OWNERS_ACTS,
  REQUEST_STAGES,
  type ReplacementChain,
  type RequestStage,
  requestStageOf,
} from "./owners-acts.ts";
import { REPLACEMENTS_MAX, replacementRoomAfter } from "./replacement-room.ts";

const body = "00000-00000-000000000000000";
const date = "2026-01-02T03:04:05.678Z";
const AUTHORISATION = { payload: new Uint8Array(), signature: new Uint8Array() };
const facts = {
  ...UNTOUCHED,
  orgId: organisationIdSchema.parse(`or-${body}0`),
  walletId: walletIdSchema.parse(`wa-${body}0`),
  network: networkSchema.parse("EthereumSepolia"),
  requester: { userId: userIdSchema.parse(`us-${body}0`) },
  externalId: undefined,
  status: "Executing",
  reason: undefined,
  approvalId: undefined,
  replacesId: undefined,
  policyDecision: { outcome: "Allowed", policies: [], date },
  authorisation: AUTHORISATION,
  dateRequested: date,
  datePolicyResolved: date,
} as const satisfies Partial<Transfer>;
const SIGNED = { signedTransaction: Uint8Array.of(2), txHash: "0x02" };
const request: Transfer = {
  ...facts,
  kind: "Transfer",
  id: transferIdSchema.parse(`xfr-${body}0`),
  requestBody: { kind: "Native", to: "0x", amount: "1" },
  metadata: { asset: {} },
};
const signed: Transfer = { ...request, ...SIGNED, status: "Broadcasted" };
const replacement = (
  place: number,
  kind: "SpeedUpTransaction" | "CancelTransaction" | "Evm",
  change: Partial<Transaction> = SIGNED,
): Transaction => ({
  ...facts,
  kind: "Transaction",
  id: transactionIdSchema.parse(`tx-${body}${place}`),
  requestBody: kind === "Evm" ? { kind, to: "0x" } : { kind, txHash: "0x02", signedTx: "0x02" },
  ...change,
});
const speedUp = replacement(1, "SpeedUpTransaction");
const cancellation = replacement(2, "CancelTransaction");

/** Replacement chains in each stage. */
const REPLACEMENT_CHAINS: Readonly<Record<RequestStage, readonly ReplacementChain[]>> = {
  "awaits approval": [[{ ...request, status: "Pending", authorisation: undefined }]],
  "not signed": [[request], [{ ...request, status: "Pending" }]],
  signed: [[signed], [{ ...signed, status: "Executing", details: { refusedForGood: true } }]],
  "replacement not signed": [
    [signed, replacement(1, "SpeedUpTransaction", {})],
    [signed, replacement(1, "CancelTransaction", { status: "Pending", authorisation: undefined })],
    [signed, speedUp, replacement(2, "CancelTransaction", {})],
  ],
  "sped up": [
    [signed, speedUp],
    [signed, speedUp, replacement(2, "SpeedUpTransaction")],
    [signed, { ...speedUp, details: { refusedForGood: true } }],
  ],
  "being cancelled": [
    [signed, cancellation],
    [signed, speedUp, cancellation],
    [signed, cancellation, replacement(3, "CancelTransaction")],
  ],
  "replaced by its caller": [
    [signed, replacement(1, "Evm")],
    [signed, speedUp, replacement(2, "Evm", {})],
    [signed, replacement(1, "Evm"), replacement(2, "SpeedUpTransaction")],
  ],
  settled: [
    [{ ...signed, status: "Confirmed" }],
    [{ ...request, status: "Failed" }],
    [{ ...request, status: "Rejected" }],
    [signed, { ...speedUp, status: "Confirmed" }],
  ],
};
const CELLS = REQUEST_STAGES.flatMap((stage) =>
  REPLACEMENT_CHAINS[stage].flatMap((replacementChain) =>
    OWNERS_ACTS.map((act) => ({ stage, replacementChain, act })),
  ),
);
const holder = (replacementChain: ReplacementChain): ChainRequest =>
  replacementChain.at(-1) ?? replacementChain[0];

describe("an act on a request, in each state", () => {
  it.each(REQUEST_STAGES)("names the state: %s", (stage) => {
    expect(REPLACEMENT_CHAINS[stage].map(requestStageOf)).toEqual(REPLACEMENT_CHAINS[stage].map(() => stage));
  });

  it.each(CELLS)("$act of one that is: $stage", ({ stage, replacementChain, act }) => {
    const judged = judgeOwnersAct(replacementChain, act, "any");
    const cell = ACTS_BY_STAGE[stage][act];
    if (cell === "works") return expect(judged).toEqual({ ok: true, value: holder(replacementChain) });
    if (judged.ok) return expect.fail("it is refused");
    const { code, details, message } = judged.problem;
    const isReplaced = cell === "abort the replacement" || cell === "act on the replacement";
    expect(code).toBe(isReplaced ? "RequestReplaced" : "RequestStateInvalid");
    if (isReplaced) expect([details["replacementId"], message]).toContain(holder(replacementChain).id);
    if (cell === "abort") expect(details["instead"]).toBe("abort");
    if (cell === "cancel" || cell === "cancel again") expect(details["instead"]).toBe("cancel");
  });

  it("names an act that works in that very state, wherever the request is still open", () => {
    for (const { stage, replacementChain } of CELLS) {
      for (const act of OWNERS_ACTS) {
        const cell = ACTS_BY_STAGE[stage][act];
        if (cell === "abort") expect(judgeOwnersAct(replacementChain, "abort", "any").ok).toBe(true);
        if (cell === "cancel" || cell === "cancel again")
          expect(judgeOwnersAct(replacementChain, "cancel", "any").ok).toBe(true);
        if (cell === "abort the replacement")
          expect(judgeOwnersAct([holder(replacementChain)], "abort", "any").ok).toBe(true);
      }
    }
  });

  it("a request that is being cancelled is neither sped up nor aborted: that would send the transaction after all", () => {
    for (const replacementChain of REPLACEMENT_CHAINS["being cancelled"]) {
      for (const act of ["speed-up", "abort"] as const) {
        expect(judgeOwnersAct(replacementChain, act, "any")).toMatchObject({
          ok: false,
          problem: { code: "RequestStateInvalid", details: { instead: "cancel" } },
        });
      }
    }
  });

  it("on a chain without replacements, a signed transaction is waited for", () => {
    const judged = judgeOwnersAct([signed], "abort", "never");
    expect(judged).toMatchObject({
      ok: false,
      problem: { code: "RequestStateInvalid", message: expect.stringMatching(/nothing replaces it/) },
    });
    expect(judged).not.toHaveProperty("problem.details.instead");
  });

  it("where a place was taken as often as allowed, the refusal names an act that works: to cancel once, then to wait", () => {
    const room = (taken: number, replacementChain: ReplacementChain) =>
      OWNERS_ACTS.map((act) => {
        const judged = judgeOwnersAct(replacementChain, act, replacementRoomAfter(taken));
        return judged.ok ? "works" : [judged.problem.code, judged.problem.details["instead"]];
      });
    const spedUp: ReplacementChain = [signed, speedUp];
    const cancelled: ReplacementChain = [signed, cancellation];
    const [other, full] = [
      ["RequestStateInvalid", "cancel"],
      ["TooManyReplacements", undefined],
    ];
    expect(room(REPLACEMENTS_MAX - 1, spedUp)).toEqual([other, "works", "works"]);
    expect(room(REPLACEMENTS_MAX, spedUp)).toEqual([other, ["TooManyReplacements", "cancel"], "works"]);
    expect(room(REPLACEMENTS_MAX + 1, spedUp)).toEqual([full, full, full]);
    expect(room(REPLACEMENTS_MAX, cancelled)).toEqual([other, other, "works"]);
    expect(room(REPLACEMENTS_MAX + 1, cancelled)).toEqual([full, full, full]);
    expect(judgeOwnersAct([request], "abort", replacementRoomAfter(REPLACEMENTS_MAX + 1)).ok).toBe(true);
  });
});
