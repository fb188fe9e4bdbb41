import { expect, it } from "vitest";
import { answeringGateway } from "../testing/answering-gateway.ts";
import { exampleWallets } from "./example-wallets.ts";

const wallet = (id: string, name: string, network = "EthereumSepolia") => ({
  ...{ id, name, network, status: "Active", address: `0x${id}` },
  signingKey: { id: "key-1", scheme: "ECDSA", curve: "secp256k1" },
  dateCreated: "2026-11-23T00:00:00.000Z",
});
const holding = (balance: string) => ({
  assets: [{ kind: "Native", symbol: "ETH", decimals: 18, balance }],
});

it("makes the wallets that are not there, and funds those that hold nothing", async () => {
  const used = answeringGateway({
    "GET /wallets": [{ items: [wallet("wa-1", "wallet-1"), wallet("wa-9", "wallet-2", "Polygon")] }],
    "GET /wallets/wa-1/assets": [holding("5")],
    "POST /wallets": [wallet("wa-2", "wallet-2")],
    "GET /wallets/wa-2/assets": [holding("0")],
  });
  const funded: string[] = [];
  expect(
    await exampleWallets(used.ask, { network: "EthereumSepolia", count: 2 }, async (address) =>
      funded.push(address),
    ),
  ).toEqual([
    { name: "wallet-1", id: "wa-1", address: "0xwa-1" },
    { name: "wallet-2", id: "wa-2", address: "0xwa-2" },
  ]);
  expect(used.asked.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
    { network: "EthereumSepolia", name: "wallet-2" },
  ]);
  expect(funded).toEqual(["0xwa-2"]);
});

it("asks nobody for no wallets", async () => {
  const used = answeringGateway({});
  expect(
    await exampleWallets(used.ask, { network: "EthereumSepolia", count: 0 }, () =>
      expect.fail("nobody is funded"),
    ),
  ).toEqual([]);
  expect(used.asked).toEqual([]);
});
