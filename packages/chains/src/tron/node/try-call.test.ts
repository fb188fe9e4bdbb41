import { utils as tronUtils } from "tronweb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { StubTron } from "../../testing/stub-tron.ts";
import {
  authorisedTron,
  TRC20_TRANSFER,
  TRC721_TRANSFER,
  TRON_KEY,
  TRON_NILE,
  TRON_SENDER,
  TRON_TOKEN,
} from "../../testing/tron-samples.ts";
import { tronNode } from "./node.ts";

let tron: StubTron;
beforeAll(async () => {
  tron = await StubTron.start();
  tron.accounts.set(TRON_SENDER, { balance: 5_000_000_000n, tokens: {} });
  tron.returns(TRON_TOKEN, "balanceOf(address)", [10n ** 12n]);
  tron.returns(TRON_TOKEN, "ownerOf(uint256)", [
    BigInt(`0x${tronUtils.address.toHex(TRON_SENDER).slice(2)}`),
  ]);
  tron.returns(TRON_TOKEN, "transfer(address,uint256)", [1n]);
  tron.returns(TRON_TOKEN, "safeTransferFrom(address,address,uint256)", []);
});
afterAll(() => tron.stop());

const triedSchema = z.object({
  owner_address: z.string(),
  contract_address: z.string(),
  function_selector: z.string(),
  parameter: z.string(),
});

describe("K1 a call of a token's contract", () => {
  it.each([
    ["TRC-20", TRC20_TRANSFER, "transfer(address,uint256)"],
    ["TRC-721", TRC721_TRANSFER, "safeTransferFrom(address,address,uint256)"],
  ] as const)("of %s is tried by the node as it is signed", async (_, transfer, selector) => {
    const node = tronNode({ ...TRON_NILE, fullNodeUrl: tron.url, solidityNodeUrl: tron.url });
    const built = await node.build({
      sender: TRON_SENDER,
      keys: [TRON_KEY.publicKey],
      act: authorisedTron(transfer),
      priority: undefined,
      sequencing: { kind: "next", lowest: 0n },
      alive: [],
    });
    if (!built.ok) expect.fail(built.problem.message);
    const tried = tron.asked
      .filter(({ path }) => path === "/wallet/triggerconstantcontract")
      .map(({ body }) => triedSchema.parse(body))
      .filter(({ function_selector }) => function_selector === selector);
    expect(tried).toHaveLength(1);
    const { owner_address, contract_address, parameter } = tried[0] ?? expect.fail();
    // by TRON's own library
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
