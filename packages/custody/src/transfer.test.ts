import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { organisationIdSchema, transferIdSchema, userIdSchema, walletIdSchema } from "./identifiers.ts";
import { networkSchema } from "./network.ts";
import { decideTransfer, type Transfer, type TransferEvent, transferRequested } from "./transfer.ts";
import { transferView } from "./transfer-view.ts";

const date = "2026-01-02T03:04:05.678Z";
const body = "00000-00000-0000000000000000";
const accepted: Transfer = {
  id: transferIdSchema.parse(`xfr-${body}`),
  orgId: organisationIdSchema.parse(`or-${body}`),
  walletId: walletIdSchema.parse(`wa-${body}`),
  network: networkSchema.parse("EthereumSepolia"),
  requester: { userId: userIdSchema.parse(`us-${body}`) },
  requestBody: { kind: "Native", to: "0x", amount: "1" },
  metadata: { asset: {} },
  externalId: undefined,
  status: "Pending",
  reason: undefined,
  policyDecision: { outcome: "Allowed", policies: [], date },
  authorisation: { payload: new Uint8Array(), signature: new Uint8Array() },
  nonce: undefined,
  unsignedTransaction: undefined,
  signedTransaction: undefined,
  txHash: undefined,
  blockNumber: undefined,
  blockHash: undefined,
  fee: undefined,
  dateRequested: date,
  datePolicyResolved: date,
  dateBroadcasted: undefined,
  dateConfirmed: undefined,
};

const begun: TransferEvent = { kind: "Begun" };
const built: TransferEvent = { kind: "Built", nonce: 0, unsignedTransaction: Uint8Array.of(1) };
const waiting: TransferEvent = { kind: "Waiting", reason: "waiting for signers" };
const signed: TransferEvent = { kind: "Signed", signedTransaction: Uint8Array.of(2), txHash: "0x02" };
const broadcasted: TransferEvent = { kind: "Broadcasted", date };
const confirmed: TransferEvent = { kind: "Confirmed", date, fee: "9", blockNumber: 1n, blockHash: "0x03" };
const reorganised: TransferEvent = { kind: "Reorganised", date };
const failed: TransferEvent = { kind: "Failed", date, reason: "reverted", fee: "9" };
const ALL = [begun, built, waiting, signed, broadcasted, confirmed, reorganised, failed];

/** Where a transfer is after these events; what does not fit is refused and leaves it as it is. */
const after = (events: readonly TransferEvent[]) => {
  let transfer = accepted;
  const emitted: string[] = [];
  const refused: string[] = [];
  for (const event of events) {
    const decided = decideTransfer(transfer, event);
    if (decided.ok) {
      transfer = decided.value.transfer;
      emitted.push(...decided.value.events.map(({ kind }) => kind));
    } else refused.push(decided.problem.code);
  }
  return { transfer, emitted, refused };
};

describe("a transfer's life", () => {
  it("goes Pending, Executing, Broadcasted, Confirmed", () => {
    const statuses = [begun, built, signed, broadcasted, confirmed].map(
      (_, at, life) => after(life.slice(0, at + 1)).transfer.status,
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
    expect([transferRequested(accepted).kind, ...emitted]).toEqual([
      "wallet.transfer.requested",
      "wallet.transfer.broadcasted",
      "wallet.transfer.confirmed",
    ]);
  });

  it("INV-4 refuses a second transaction under another account nonce", () => {
    expect(after([begun, built, { ...built, nonce: 1 }]).refused).toEqual(["NonceConflict"]);
  });

  it("INV-4 refuses another transaction, or another signature, once there are signed bytes", () => {
    const { transfer, refused } = after([begun, built, signed, built, { ...signed, txHash: "0x04" }]);
    expect([refused, transfer.txHash]).toEqual([["TransferStateInvalid", "TransferStateInvalid"], "0x02"]);
  });

  it("is not broadcast without signed bytes", () => {
    expect(after([begun, built, broadcasted]).refused).toEqual(["TransferStateInvalid"]);
  });

  it("goes back to Broadcasted when its block leaves the chain, and loses the block's fee", () => {
    const { transfer, emitted } = after([begun, built, signed, broadcasted, confirmed, reorganised]);
    expect([transfer.status, transfer.fee, transfer.blockHash, emitted.at(-1)]).toEqual([
      "Broadcasted",
      undefined,
      undefined,
      "wallet.transfer.broadcasted",
    ]);
  });

  it("shows what it waits for, and forgets it once it is signed", () => {
    expect(after([begun, built, waiting]).transfer.reason).toBe("waiting for signers");
    expect(after([begun, built, waiting, signed]).transfer.reason).toBeUndefined();
  });

  it("hides the hash until the bytes are on their way", () => {
    const shown = [signed, broadcasted].map((_, at, last) =>
      transferView(after([begun, built, ...last.slice(0, at + 1)]).transfer),
    );
    expect(shown.map(({ txHash }) => txHash)).toEqual([undefined, "0x02"]);
  });

  it("INV-4 keeps its nonce and its signed bytes, whatever comes in whatever order", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ALL), { maxLength: 20 }), (events) => {
        let firstSigned: Transfer | undefined;
        for (let length = 1; length <= events.length; length += 1) {
          const { transfer } = after(events.slice(0, length));
          if (transfer.signedTransaction !== undefined) firstSigned ??= transfer;
          if (firstSigned === undefined) continue;
          expect(transfer.signedTransaction).toBe(firstSigned.signedTransaction);
          expect(transfer.nonce).toBe(firstSigned.nonce);
        }
      }),
    );
  });
});
