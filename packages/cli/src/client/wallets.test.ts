import { expect, it } from "vitest";
import { answeringGateway } from "../testing/answering-gateway.ts";
import { saidTo } from "../testing/said.ts";
import { findWallet, printWallets, showWallet } from "./wallets.ts";

const said = saidTo("stdout");

const wallet = (id: string, name: string) => ({
  id,
  network: "EthereumSepolia",
  status: "Active",
  name,
  address: `0x${id}`,
  signingKey: { id: "key-1", scheme: "ECDSA", curve: "secp256k1" },
  dateCreated: "2026-11-23T00:00:00.000Z",
});
const two = {
  "GET /wallets": [{ items: [wallet("wa-1", "till")], nextPageToken: "more" }],
  "GET /wallets?paginationToken=more": [{ items: [wallet("wa-2", "till"), wallet("wa-3", "safe")] }],
};

it("lists wallets of all pages as a table", async () => {
  await printWallets(answeringGateway(two).ask, { json: false });
  expect(
    said()
      .match(/ wa-\d/g)
      ?.map((id) => id.trim()),
  ).toEqual(["wa-1", "wa-2", "wa-3"]);
});

it("lists wallets of all pages as data", async () => {
  await printWallets(answeringGateway(two).ask, { json: true });
  expect(JSON.parse(said())).toHaveLength(3);
});

it("says what to do where there is no wallet yet", async () => {
  await printWallets(answeringGateway({ "GET /wallets": [{ items: [] }] }).ask, { json: false });
  expect(said()).toContain("conclave wallet create");
});

it("finds a wallet by a name that only one has, and refuses the others", async () => {
  const { ask } = answeringGateway(two);
  expect((await findWallet(ask, "safe")).id).toBe("wa-3");
  await expect(findWallet(ask, "till")).rejects.toThrow("2 wallets have the name till");
  await expect(findWallet(ask, "wa-typo")).rejects.toThrow("no wallet has the name wa-typo");
  await expect(findWallet(ask, "purse")).rejects.toThrow("no wallet has the name purse");
});

it("shows what a wallet holds, in whole coins", async () => {
  const { ask } = answeringGateway({
    "GET /wallets/wa-00000-00000-0000000000000001": [wallet("wa-00000-00000-0000000000000001", "till")],
    "GET /wallets/wa-00000-00000-0000000000000001/assets": [
      {
        assets: [
          { kind: "Native", symbol: "ETH", decimals: 18, balance: "1500000000000000000" },
          { kind: "Erc20", contract: "0xc0", symbol: "USDC", decimals: 6, balance: "7" },
        ],
      },
    ],
  });
  await showWallet(ask, "wa-00000-00000-0000000000000001", { json: false });
  expect(said()).toMatch(/ETH +Native +1\.5\n/);
  expect(said()).toMatch(/USDC +Erc20 +0\.000007\n/);
});

it("prints untrusted text without control characters", async () => {
  const { ask } = answeringGateway({
    "GET /wallets": [{ items: [wallet("wa-00000-00000-0000000000000001", "\u001b[2Jgone")] }],
  });
  await printWallets(ask, { json: false });
  expect(said()).toContain("[2Jgone");
  expect(said()).not.toContain("\u001b");
});
