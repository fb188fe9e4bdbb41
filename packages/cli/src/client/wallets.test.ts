import { expect, it } from "vitest";
import { answeringGateway } from "../testing/answering-gateway.ts";
import { saidTo } from "../testing/said.ts";
import { findWallet, payeeAddress, printWallets, showWallet } from "./wallets.ts";

const said = saidTo("stdout");
saidTo("stderr");

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

it("pays an address as it is, and a wallet of the network by its name or id", async () => {
  const [polygon, id] = [{ network: "Polygon" }, "wa-00000-00000-0000000000000001"];
  const { ask, asked } = answeringGateway({
    "GET /wallets": Array.from({ length: 4 }, () => ({
      items: [
        wallet("wa-1", "till"),
        { ...wallet("wa-2", "till"), ...polygon },
        wallet("wa-3", "safe"),
        wallet("wa-4", "safe"),
      ],
    })),
    [`GET /wallets/${id}`]: [wallet(id, "by id")],
  });
  const address = `0x${"ab".repeat(20)}`;
  expect(await payeeAddress(ask, address, "EthereumSepolia")).toBe(address);
  expect(asked).toEqual([]);
  expect(await payeeAddress(ask, "till", "EthereumSepolia")).toBe("0xwa-1");
  expect(await payeeAddress(ask, id, "EthereumSepolia")).toBe(`0x${id}`);
  await expect(payeeAddress(ask, "safe", "EthereumSepolia")).rejects.toThrow(
    "2 wallets on EthereumSepolia have the name",
  );
  await expect(payeeAddress(ask, "safe", "Polygon")).rejects.toThrow("no wallet on Polygon is called so");
  await expect(payeeAddress(ask, "tull", "EthereumSepolia")).rejects.toThrow("tull is no address");
});

it("pays an address, though a wallet has its text for a name", async () => {
  const address = `0x${"cd".repeat(20)}`;
  const { ask } = answeringGateway({ "GET /wallets": [{ items: [wallet("wa-1", address)] }] });
  expect(await payeeAddress(ask, address, "EthereumSepolia")).toBe(address);
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
