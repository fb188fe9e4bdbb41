import { describe, expect, it } from "vitest";
import {
  authorisedTron,
  TRC10_ID,
  TRC10_TRANSFER,
  TRC20_TRANSFER,
  TRC721_TRANSFER,
  TRON_DRAFT,
  TRON_NILE,
  TRON_RECIPIENT,
  TRON_SENDER,
  TRON_TOKEN,
  TRX_TRANSFER,
  tronBytes,
} from "../testing/tron-samples.ts";
import { TRON_FAMILY } from "./family.ts";
import { tronContractOf } from "./plan.ts";

const effects = (
  content: Parameters<typeof TRON_FAMILY.effectsOf>[1],
  entry: typeof TRON_NILE | undefined = TRON_NILE,
) => TRON_FAMILY.effectsOf(entry, content, false);
const exact = (unsigned: string) => ({ kind: "Exact", from: TRON_SENDER, unsigned });

describe("INV-8 the effects of a request", () => {
  it.each([
    ["TRX", TRX_TRANSFER, { asset: "Native", amount: "1500000" }],
    ["a TRC-10 token", TRC10_TRANSFER, { asset: TRC10_ID, amount: "2500000" }],
    ["a TRC-20 token", TRC20_TRANSFER, { asset: TRON_TOKEN, amount: "2500000" }],
    ["a TRC-721 token", TRC721_TRANSFER, { asset: TRON_TOKEN, amount: undefined }],
  ])("is the same, asked for by name or in a caller's own bytes: %s", (_, transfer, moved) => {
    const movements = [{ ...moved, recipient: TRON_RECIPIENT }];
    expect(effects(transfer)).toEqual({ movements, unknown: undefined });
    const bytes = tronBytes({ contract: tronContractOf(transfer), feeLimit: 9n }).slice(2);
    expect(effects(exact(bytes))).toEqual({ movements, unknown: undefined, fee: "9" });
    const alone = { kind: "transaction", network: TRON_NILE.network, transaction: bytes };
    expect(effects(alone)).toEqual({ movements, unknown: undefined, fee: "9" });
  });

  it("is unknown of what nobody can read, and where no chain is known", () => {
    const bytes = tronBytes().slice(2);
    const unknown = [
      effects(exact("80")),
      effects({ kind: "Exact" }),
      TRON_FAMILY.effectsOf(undefined, exact(bytes), false),
    ];
    for (const each of unknown) {
      expect(each).toMatchObject({ movements: [], unknown: expect.any(String) });
    }
    expect(TRON_DRAFT.contract.type).toBe("TransferContract");
  });

  it("replaces nothing", () => {
    const { speedUp, cancel, takePlace, judge, fixedSequence, judgeSequence } = TRON_FAMILY.replacements;
    const replaced = { act: authorisedTron(TRX_TRANSFER), sequence: undefined, signed: new Uint8Array(0) };
    for (const result of [
      speedUp(replaced),
      cancel(replaced, TRON_SENDER),
      takePlace(TRX_TRANSFER, undefined),
      judge(new Uint8Array(0), TRX_TRANSFER),
    ]) {
      expect(!result.ok && result.problem.code).toBe("TransactionKindNotSupported");
    }
    expect([fixedSequence(TRX_TRANSFER), judgeSequence(1n, 2n)]).toEqual([
      { ok: true, value: undefined },
      { ok: true, value: undefined },
    ]);
  });
});
