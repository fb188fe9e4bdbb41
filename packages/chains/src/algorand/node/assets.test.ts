import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import {
  ALGO_TRANSFER,
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_RECIPIENT_KEY,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASA_TRANSFER,
  ASSET_ID,
  algorandBytes,
  algorandIntent,
  authorisedAlgorand,
  authorisedAlgorandBytes,
  signedAlgorand,
} from "../../testing/algorand-samples.ts";
import { answerOf, codeOf } from "../../testing/answers.ts";
import { issueAlgorandAsset } from "../../testing/ledgers/algorand-asset.ts";
import { openScriptedLedger, type ScriptedLedger } from "../../testing/ledgers/scripted-ledger.ts";
import { algorandAddress } from "../rules/address.ts";
import { algorandNode } from "./node.ts";

let ledger: ScriptedLedger;
let node: ChainNode;
beforeEach(async () => {
  ledger = await openScriptedLedger("Algorand", ALGORAND_TESTNET.genesisId);
  const issuer = await issueAlgorandAsset(ledger);
  for (const [key, address, amount] of [
    [ALGORAND_KEY, ALGORAND_SENDER, 10_000_000],
    [ALGORAND_RECIPIENT_KEY, ALGORAND_RECIPIENT, 200_000],
  ] as const) {
    await ledger.fund(address, amount + 1_000);
    await issuer.optIn(key);
  }
  await issuer.send(ALGORAND_SENDER, 9_007_199_254_740_993n);
  node = algorandNode({ ...ALGORAND_TESTNET, algodUrl: `${ledger.node.url}/` });
});
afterEach(() => ledger.stop());

describe("building with an asset on Algorand", () => {
  it("looks at both holdings of an asset, and asks for no list of assets", async () => {
    expect(await codeOf(node.build(algorandIntent(authorisedAlgorand(ASA_TRANSFER))))).toBe("ok");
    const paths = ledger.node.asked.map(({ path }) => path).sort();
    expect(paths).toEqual(
      [
        "/v2/transactions/params",
        `/v2/accounts/${ALGORAND_SENDER}?exclude=all`,
        `/v2/accounts/${ALGORAND_RECIPIENT}?exclude=all`,
        `/v2/accounts/${ALGORAND_SENDER}/assets/${ASSET_ID}`,
        `/v2/accounts/${ALGORAND_RECIPIENT}/assets/${ASSET_ID}`,
        "/v2/transactions/simulate?format=json",
      ].sort(),
    );
  });

  it("says in words what is missing", async () => {
    const to = algorandAddress(new Uint8Array(32).fill(5));
    const asa = await node.build(algorandIntent(authorisedAlgorand({ ...ASA_TRANSFER, to })));
    expect(!asa.ok && asa.problem.message).toContain(
      `the recipient has not opted in to the asset ${ASSET_ID}`,
    );
    const small = await node.build(algorandIntent(authorisedAlgorand({ ...ALGO_TRANSFER, to, amount: "1" })));
    expect(!small.ok && small.problem.code).toBe("RecipientCannotReceive");
    // the account must keep 200 000
    const dear = authorisedAlgorand({ ...ALGO_TRANSFER, amount: "9799001" });
    expect(await codeOf(node.build(algorandIntent(dear)))).toBe("InsufficientFunds");
  });

  it("refuses a caller's own bytes that are in the pool or in a block already", async () => {
    const bytes = Buffer.from(algorandBytes().slice(2), "hex");
    const own = algorandIntent(authorisedAlgorandBytes(bytes));
    expect(await codeOf(node.build(own))).toBe("ok");
    expect(await node.broadcast(signedAlgorand(bytes).signed)).toEqual({ kind: "accepted" });
    expect(await codeOf(node.build(own))).toBe("TransactionInvalid");
    await ledger.mine();
    expect(await codeOf(node.build(own))).toBe("TransactionInvalid");
  });
});

describe("reading accounts and assets on an Algorand node", () => {
  it("reads numbers of 64 bits to the last digit", async () => {
    expect(await answerOf(node.balance(ALGORAND_SENDER))).toBe(10_000_000n);
    expect(await answerOf(node.tokenBalance(ALGORAND_SENDER, ASSET_ID))).toBe(9_007_199_254_740_993n);
  });

  it("tells an asset that an account does not hold from one that there is not", async () => {
    const stranger = algorandAddress(new Uint8Array(32).fill(5));
    expect(await node.tokenBalance(stranger, ASSET_ID)).toEqual({ ok: true, value: 0n });
    expect(await node.tokenBalance(stranger, "5")).toEqual({ ok: true, value: undefined });
  });

  it("describes an asset by its unit, as far as that is text", async () => {
    expect(await answerOf(node.describeToken(ASSET_ID))).toEqual({
      symbol: "USDC",
      decimals: 6,
      verified: false,
    });
    const text = JSON.stringify({ index: 6, params: { decimals: 0, "unit-name": "\u0000" } });
    ledger.node.spoilt.set("/v2/assets/6", { status: 200, text });
    expect(await answerOf(node.describeToken("6"))).toEqual({ decimals: 0, verified: false });
    expect(await answerOf(node.describeToken("7"))).toEqual({});
    await expect(node.describeToken("../params")).rejects.toThrow(TypeError);
  });
});
