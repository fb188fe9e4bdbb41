import { expect, it } from "vitest";
import { answeringGateway } from "../testing/answering-gateway.ts";
import { saidTo } from "../testing/said.ts";
import { transfer } from "./transfer.ts";

const said = saidTo("stdout");
const progress = saidTo("stderr");

/** as long as the shortest address of any network */
const PAYEE = `r${"1".repeat(24)}`;
const asked = { id: "xfr-1", walletId: "wa-00000-00000-0000000000000001", status: "Pending" };
const gateway = (...ends: readonly object[]) =>
  answeringGateway({
    "GET /wallets/wa-00000-00000-0000000000000001": [
      {
        id: "wa-00000-00000-0000000000000001",
        network: "EthereumSepolia",
        status: "Active",
        signingKey: { id: "key-1", scheme: "ECDSA", curve: "secp256k1" },
        dateCreated: "2026-11-23T00:00:00.000Z",
      },
    ],
    "GET /wallets/wa-00000-00000-0000000000000001/assets": [
      {
        assets: [
          { kind: "Native", symbol: "ETH", decimals: 18, balance: "5" },
          { kind: "Erc20", contract: "0xc0", symbol: "USDC", decimals: 6, balance: "5" },
          { kind: "Erc20", contract: "0xc1", symbol: "USDC", decimals: 6, balance: "5" },
          { kind: "Sep41", assetCode: "EURC", issuer: "GA", symbol: "EURC", decimals: 7, balance: "5" },
        ],
      },
    ],
    "POST /wallets/wa-00000-00000-0000000000000001/transfers": [asked],
    "GET /wallets/wa-00000-00000-0000000000000001/transfers/xfr-1": ends.map((end) => ({ ...asked, ...end })),
  });
const order = {
  json: false,
  from: "wa-00000-00000-0000000000000001",
  to: PAYEE,
  amount: "1.5",
  wait: true,
};
const bodyOf = ({ asked: all }: ReturnType<typeof gateway>) =>
  all.find(({ method }) => method === "POST")?.body;

it("sends the chain's own coin in its smallest unit, and says each step until it is confirmed", async () => {
  const used = gateway(
    { status: "Executing" },
    { status: "Executing" },
    { status: "Confirmed", txHash: "0xabc", fee: "21000" },
  );
  expect(await transfer(used.ask, order)).toBe(true);
  expect(bodyOf(used)).toEqual({ kind: "Native", to: PAYEE, amount: "1500000000000000000" });
  expect(progress()).toBe("xfr-1 is accepted\nExecuting\nConfirmed\n");
  expect(said()).toContain("0xabc");
});

it("names the approval that it waits for, and the reason why it failed", async () => {
  const used = gateway({ approvalId: "ap-1" }, { status: "Rejected", reason: "denied by us-1" });
  expect(await transfer(used.ask, order)).toBe(false);
  expect(progress()).toContain("waits for the approval ap-1");
  expect(said()).toContain("denied by us-1");
});

it("returns once it is accepted where nobody waits", async () => {
  const used = gateway();
  expect(await transfer(used.ask, { ...order, wait: false })).toBe(true);
  expect(used.asked.map(({ path }) => path)).not.toContain(
    "/wallets/wa-00000-00000-0000000000000001/transfers/xfr-1",
  );
});

it.each([
  ["EURC", { kind: "Sep41", assetCode: "EURC", issuer: "GA", to: PAYEE, amount: "15000000" }],
  ["0xc1", { kind: "Erc20", contract: "0xc1", to: PAYEE, amount: "1500000" }],
])("sends the asset that is called %s", async (asset, body) => {
  const used = gateway({ status: "Confirmed" });
  await transfer(used.ask, { ...order, asset });
  expect(bodyOf(used)).toEqual(body);
});

it.each([
  ["USDC", "1", "the wallet holds 2 assets called USDC"],
  ["DAI", "1", "the wallet holds no DAI"],
  ["EURC", "0.00000001", "0.00000001 is no amount"],
  ["EURC", "0", "0 is no amount"],
  ["EURC", "1,5", "1,5 is no amount"],
  ["EURC", "-1", "-1 is no amount"],
])("sends nothing for --asset %s --amount %s", async (asset, amount, words) => {
  const used = gateway();
  await expect(transfer(used.ask, { ...order, asset, amount })).rejects.toThrow(words);
  expect(bodyOf(used)).toBeUndefined();
});
