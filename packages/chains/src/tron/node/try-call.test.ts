import { utils as tronUtils } from "tronweb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  makeTronTokens,
  openTronLedger,
  type ScriptedTronLedger,
  TRON_TOKENS,
  tronEntryAt,
} from "../../testing/ledgers/tron-ledger.ts";
import { authorisedTron, TRC20_TRANSFER, TRC721_TRANSFER, tronIntent } from "../../testing/tron-samples.ts";
import { tronNode } from "./node.ts";

let ledger: ScriptedTronLedger;
beforeAll(async () => {
  ledger = await openTronLedger();
  await makeTronTokens(ledger);
});
afterAll(() => ledger.stop());

const triedSchema = z.object({
  owner_address: z.string(),
  contract_address: z.string(),
  function_selector: z.string(),
  parameter: z.string(),
});

describe("K1 a call of a token's contract", () => {
  it.each([
    ["TRC-20", { ...TRC20_TRANSFER, contract: TRON_TOKENS.trc20 }, "transfer(address,uint256)"],
    [
      "TRC-721",
      { ...TRC721_TRANSFER, contract: TRON_TOKENS.trc721 },
      "safeTransferFrom(address,address,uint256)",
    ],
  ] as const)("of %s is tried by the node as it is signed", async (_, transfer, selector) => {
    const node = tronNode({ ...tronEntryAt(ledger.node.url), solidityNodeUrl: ledger.node.url });
    const built = await node.build(tronIntent(authorisedTron(transfer)));
    if (!built.ok) expect.fail(built.problem.message);
    const tried = ledger
      .calls("/wallet/triggerconstantcontract")
      .map((call) => triedSchema.parse(call))
      .filter(({ function_selector }) => function_selector === selector);
    expect(tried).toHaveLength(1);
    const { owner_address, contract_address, parameter } = tried[0] ?? expect.fail();
    // encoded by TRON's own library
    const data = `${tronUtils.ethersUtils.keccak256(Buffer.from(selector)).slice(2, 10)}${parameter}`;
    const signed = tronUtils.deserializeTx.deserializeTransaction(
      "TriggerSmartContract",
      Buffer.from(built.value.unsigned).toString("hex"),
    );
    const upper = (hex: string): string => hex.toUpperCase();
    expect(signed.contract[0]?.parameter.value).toMatchObject({
      owner_address: upper(owner_address),
      contract_address: upper(contract_address),
      data: upper(data),
    });
  });
});
