import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  organisationIdSchema,
  transactionIdSchema,
  transferIdSchema,
  userIdSchema,
  walletIdSchema,
} from "../identifiers.ts";
import { networkSchema } from "../network.ts";
import { isPlainText, isReadable } from "../text.ts";
import {
  type ChainRequest,
  type ChainRequestEvent,
  type Transaction,
  type Transfer,
  UNTOUCHED,
} from "./chain-request.ts";
import { chainRequestRequested, decideChainRequest } from "./chain-request-decision.ts";
import { chainRequestView } from "./request-view.ts";

const date = "2026-01-02T03:04:05.678Z";
const body = "00000-00000-0000000000000000";
const facts = {
  ...UNTOUCHED,
  orgId: organisationIdSchema.parse(`or-${body}`),
  walletId: walletIdSchema.parse(`wa-${body}`),
  network: networkSchema.parse("EthereumSepolia"),
  requester: { userId: userIdSchema.parse(`us-${body}`) },
  externalId: undefined,
  status: "Pending",
  reason: undefined,
  approvalId: undefined,
  replacesId: undefined,
  policyDecision: { outcome: "Allowed", policies: [], date },
  authorisation: { payload: new Uint8Array(), signature: new Uint8Array() },
  dateRequested: date,
  datePolicyResolved: date,
} as const satisfies Partial<Transfer>;
const accepted: Transfer = {
  ...facts,
  kind: "Transfer",
  id: transferIdSchema.parse(`xfr-${body}`),
  requestBody: { kind: "Native", to: "0x", amount: "1" },
  metadata: { asset: {} },
};
const undecided = { policyDecision: undefined, authorisation: undefined, datePolicyResolved: undefined };
const waitingForApproval: Transaction = {
  ...facts,
  ...undecided,
  kind: "Transaction",
  id: transactionIdSchema.parse(`tx-${body}`),
  requestBody: { kind: "Evm", to: "0x" },
  approvalId: "ap-1",
};
const other = transactionIdSchema.parse(`tx-${body.replaceAll("0", "1")}`);

const begun: ChainRequestEvent = { kind: "Begun" };
const built = {
  kind: "Built",
  sequence: 0n,
  exclusion: Uint8Array.of(7),
  unsignedTransaction: Uint8Array.of(1),
  details: {},
} as const;
const waiting: ChainRequestEvent = { kind: "Waiting", reason: "waiting for signers" };
const signed = {
  kind: "Signed",
  unsignedTransaction: Uint8Array.of(1),
  signedTransaction: Uint8Array.of(2),
  txHash: "0x02",
} as const;
const broadcasted: ChainRequestEvent = { kind: "Broadcasted", date };
const confirmed: ChainRequestEvent = {
  kind: "Confirmed",
  date,
  fee: "9",
  blockNumber: 1n,
  blockHash: "0x03",
};
const reorganised: ChainRequestEvent = { kind: "Reorganised", date };
const inclusion = { fee: "9", blockNumber: 1n, blockHash: "0x03" };
const failed: ChainRequestEvent = { kind: "Failed", date, reason: "reverted", inclusion };
const displaced: ChainRequestEvent = { kind: "Failed", date, reason: "another landed" };
const aborted: ChainRequestEvent = { kind: "Aborted", date, reason: "aborted" };
const rejected: ChainRequestEvent = { kind: "Rejected", date, reason: "denied" };
const replaced: ChainRequestEvent = { kind: "Replaced", by: other };
const reinstated: ChainRequestEvent = { kind: "Reinstated", from: other };
const authorised: ChainRequestEvent = {
  kind: "Authorised",
  authorisation: { payload: Uint8Array.of(1), signature: Uint8Array.of(2) },
  decision: { outcome: "Allowed", policies: ["plc-1"], date },
  date,
};
const ALL = [
  ...[begun, built, waiting, signed, broadcasted, confirmed, reorganised, failed, displaced],
  ...[aborted, rejected, replaced, reinstated, authorised],
];

/** Applies these events to a request; an event that does not fit is refused and changes nothing. */
const from = (start: ChainRequest) => (events: readonly ChainRequestEvent[]) => {
  let request = start;
  const emitted: string[] = [];
  const refused: string[] = [];
  for (const event of events) {
    const decision = decideChainRequest(request, event);
    if (decision.ok) {
      request = decision.value.request;
      emitted.push(...decision.value.events.map(({ kind }) => kind));
    } else refused.push(decision.problem.code);
  }
  return { request, emitted, refused };
};
const after = from(accepted);

describe("a request's life on a chain", () => {
  it("is confirmed when the chain made its block, and settled when that was seen", () => {
    const blockDate = "2026-01-01T00:00:00.000Z";
    const life = [begun, built, signed, broadcasted];
    const { request } = after([...life, { ...confirmed, blockDate }]);
    expect([request.dateConfirmed, request.dateSettled]).toEqual([blockDate, date]);
    expect(after([...life, confirmed]).request.dateConfirmed).toBe(date);
    expect(after([...life, { ...confirmed, blockDate }, reorganised]).request.dateConfirmed).toBeUndefined();
  });

  it("goes Pending, Executing, Broadcasted, Confirmed", () => {
    const statuses = [begun, built, signed, broadcasted, confirmed].map(
      (_, at, life) => after(life.slice(0, at + 1)).request.status,
    );
    expect([accepted.status, ...statuses]).toEqual([
      "Pending",
      "Executing",
      "Executing",
      "Executing",
      "Broadcasted",
      "Confirmed",
    ]);
  });

  it("INV-6 emits one event for each change that the interface names", () => {
    const { emitted } = after([begun, built, waiting, signed, broadcasted, confirmed]);
    expect([chainRequestRequested(accepted).kind, ...emitted]).toEqual([
      "wallet.transfer.requested",
      "wallet.transfer.broadcasted",
      "wallet.transfer.confirmed",
    ]);
  });

  it("INV-4 refuses a second transaction in another place", () => {
    expect(after([begun, built, { ...built, sequence: 1n }]).refused).toEqual(["SequenceConflict"]);
  });

  it("INV-4 adopts a transaction that signers signed before, in any place, as long as nothing else is signed", () => {
    const adopted = { ...built, kind: "Adopted", sequence: 1n } as const;
    const taken = after([begun, built, waiting, adopted]);
    expect(taken.refused).toEqual([]);
    expect(taken.request).toMatchObject({ sequence: 1n, reason: undefined });
    expect(after([begun, adopted]).refused).toEqual([]);
    expect(after([begun, built, signed, adopted]).refused).toEqual(["RequestStateInvalid"]);
  });

  it("INV-4 takes over another signature of the bytes that it has, until it is settled", () => {
    const twin = { kind: "LandedAs", signedTransaction: new Uint8Array([7]), txHash: "0x07" } as const;
    const { signedTransaction, txHash } = twin;
    const { unsignedTransaction } = built;
    for (const events of [[signed], [signed, broadcasted]]) {
      const { request, refused } = after([begun, built, ...events, twin]);
      expect(refused).toEqual([]);
      expect(request).toMatchObject({ unsignedTransaction, signedTransaction, txHash });
    }
    expect(after([begun, built, twin]).refused).toEqual(["RequestStateInvalid"]);
    expect(after([begun, built, signed, broadcasted, confirmed, twin]).refused).toEqual([
      "RequestStateInvalid",
    ]);
  });

  it("INV-4 takes over another version of it that landed in its place, until it is settled", () => {
    const version = {
      ...built,
      kind: "LandedVersion",
      unsignedTransaction: Uint8Array.of(9),
      details: { nonce: 7, fee: "9" },
      signedTransaction: Uint8Array.of(7),
      txHash: "0x07",
    } as const;
    const { kind: _, ...taken } = version;
    for (const events of [[signed], [signed, broadcasted]]) {
      const { request, refused } = after([begun, built, ...events, version]);
      expect(refused).toEqual([]);
      expect(request).toMatchObject(taken);
    }
    expect(after([begun, built, version]).refused).toEqual(["RequestStateInvalid"]);
    expect(after([begun, built, signed, broadcasted, confirmed, version]).refused).toEqual([
      "RequestStateInvalid",
    ]);
    const { unsignedTransaction } = built;
    expect(after([begun, built, signed, { ...version, unsignedTransaction }]).refused).toEqual([
      "RequestStateInvalid",
    ]);
    for (const sequence of [8n, undefined]) {
      expect(after([begun, built, signed, { ...version, sequence }]).refused).toEqual(["SequenceConflict"]);
    }
  });

  it("INV-4 refuses another transaction, or another signature, once there are signed bytes", () => {
    const { request, refused } = after([begun, built, signed, built, { ...signed, txHash: "0x04" }]);
    expect([refused, request.txHash]).toEqual([["RequestStateInvalid", "RequestStateInvalid"], "0x02"]);
  });

  it("INV-4 refuses the signature of bytes that were built anew meanwhile", () => {
    const rebuilt = { ...built, unsignedTransaction: Uint8Array.of(9) };
    expect(after([begun, built, rebuilt, signed]).refused).toEqual(["RequestStateInvalid"]);
    expect(after([begun, rebuilt, built, signed]).refused).toEqual([]);
  });

  it("is not broadcast without signed bytes", () => {
    expect(after([begun, built, broadcasted]).refused).toEqual(["RequestStateInvalid"]);
  });

  it("goes back to Broadcasted when its block leaves the chain, and loses the block's fee", () => {
    const { request, emitted } = after([begun, built, signed, broadcasted, confirmed, reorganised]);
    expect([request.status, request.fee, request.blockHash, emitted.at(-1)]).toEqual([
      "Broadcasted",
      undefined,
      undefined,
      "wallet.transfer.broadcasted",
    ]);
  });

  it("shows what it waits for, and forgets it once it is signed", () => {
    expect(after([begun, built, waiting]).request.reason).toBe("waiting for signers");
    expect(after([begun, built, waiting, signed]).request.reason).toBeUndefined();
  });

  it("hides the hash until the bytes are on their way", () => {
    const shown = [signed, broadcasted].map((_, at, last) =>
      chainRequestView(after([begun, built, ...last.slice(0, at + 1)]).request),
    );
    expect(shown.map(({ txHash }) => txHash)).toEqual([undefined, "0x02"]);
  });

  it.each([
    ["reverted on the chain", failed, "9"],
    ["lost to another with its nonce", displaced, undefined],
  ])("goes back to Broadcasted after it %s, when the chain takes that back", (_, event, fee) => {
    const life = [begun, built, signed, broadcasted, event];
    expect(after(life).request).toMatchObject({ status: "Failed", fee });
    const { request, refused } = after([...life, reorganised]);
    expect([request.status, request.fee, request.reason, refused]).toEqual([
      "Broadcasted",
      undefined,
      undefined,
      [],
    ]);
  });

  it("stays failed when a reorganisation follows a failure before its signature", () => {
    expect(after([begun, built, displaced, reorganised]).refused).toEqual(["RequestStateInvalid"]);
  });

  it("INV-8 begins only with a decision, and is authorised or rejected only once", () => {
    const later = from(waitingForApproval);
    expect(later([begun]).refused).toEqual(["RequestStateInvalid"]);
    expect(later([authorised, begun]).request.status).toBe("Executing");
    expect(later([authorised, authorised]).refused).toEqual(["RequestStateInvalid"]);
    expect(later([authorised, rejected]).refused).toEqual(["RequestStateInvalid"]);
    const { request, emitted } = later([rejected, authorised]);
    expect([request.status, request.reason, emitted]).toEqual([
      "Rejected",
      "denied",
      ["wallet.transaction.rejected"],
    ]);
  });

  it("is aborted as long as nothing is signed: Rejected while it waits, Failed while it is worked on", () => {
    expect(from(waitingForApproval)([aborted]).emitted).toEqual(["wallet.transaction.rejected"]);
    expect(after([begun, built, aborted]).emitted).toEqual(["wallet.transfer.failed"]);
    expect(after([begun, built, signed, aborted]).refused).toEqual(["RequestStateInvalid"]);
  });

  it("INV-4 is replaced once at a time, after it is signed and before it is settled", () => {
    expect(after([begun, built, replaced]).refused).toEqual(["RequestStateInvalid"]);
    expect(after([begun, built, signed, replaced, replaced]).refused).toEqual(["RequestStateInvalid"]);
    expect(after([begun, built, signed, replaced, reinstated, replaced]).refused).toEqual([]);
    expect(after([begun, built, signed, broadcasted, confirmed, replaced]).refused).toHaveLength(1);
    expect(after([begun, built, signed, replaced]).request.replacementId).toBe(other);
  });

  it("INV-4 is built again once what was signed is dead, as often as the authority may speak of it", () => {
    const died: ChainRequestEvent = { kind: "Died" };
    expect(after([begun, built, died]).refused).toEqual(["RequestStateInvalid"]);
    const { request, refused } = after([begun, built, signed, broadcasted, died]);
    expect(refused).toEqual([]);
    expect(request).toMatchObject({
      status: "Executing",
      deadTransactions: 1,
      sequence: undefined,
      exclusion: undefined,
      unsignedTransaction: undefined,
      signedTransaction: undefined,
      txHash: undefined,
      dateBroadcasted: date,
    });
    const life: ChainRequestEvent[] = [begun];
    for (let deaths = 0; deaths < 64; deaths += 1) life.push(built, signed, died);
    expect(after(life).request.deadTransactions).toBe(64);
    expect(after([...life, built, signed, died]).refused).toEqual(["RequestStateInvalid"]);
  });

  it("shows what the interface asks for, and nothing that is not known", () => {
    expect(chainRequestView(waitingForApproval)).toEqual({
      id: waitingForApproval.id,
      walletId: accepted.walletId,
      network: "EthereumSepolia",
      requester: accepted.requester,
      status: "Pending",
      approvalId: "ap-1",
      dateRequested: date,
    });
  });

  it("INV-4 keeps its place and its signed bytes until they are dead, whatever comes in whatever order", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ALL), { maxLength: 20 }), (events) => {
        let firstSigned: ChainRequest | undefined;
        for (let length = 1; length <= events.length; length += 1) {
          const { request } = after(events.slice(0, length));
          if (request.signedTransaction !== undefined) firstSigned ??= request;
          if (firstSigned === undefined) continue;
          expect(request.signedTransaction).toBe(firstSigned.signedTransaction);
          expect(request.sequence).toBe(firstSigned.sequence);
        }
      }),
    );
  });
});

describe("a reason in somebody else's words", () => {
  it.each([
    ["is cut where a character ends", `x${"\u{1f600}".repeat(600)}`],
    ["is one line", "one\r\ntwo\u2028three"],
    ["has nothing that turns around what follows", "paid \u202egpj.exe"],
    ["has nothing that PostgreSQL does not hold", "\0\ud83d no"],
  ])("INV-5 %s", (_, words) => {
    for (const event of [
      { kind: "Failed", date, reason: words },
      { kind: "Waiting", reason: words },
    ] as const) {
      const decided = decideChainRequest({ ...accepted, status: "Executing" }, event);
      const reason = (decided.ok && decided.value.request.reason) || expect.fail("it has no reason");
      expect([isPlainText(reason), isReadable(reason), reason.length <= 1_000]).toEqual([true, true, true]);
    }
  });
});
