import { expect, it } from "vitest";
import { answeringGateway } from "../../testing/answering-gateway.ts";
import { balanceOfWallet } from "./wallet-balance.ts";

const ADDRESS = "0x00000000000000000000000000000000C0FFEE00";
const OTHERS = "0x00000000000000000000000000000000000000aa";
const ID = "wa-00000-00000-0000000000000001";
const ASSETS = [{ kind: "Native", symbol: "ETH", decimals: 18, balance: "7" }];

const wallet = (id: string, name: string, network: string, address?: string) => ({
  id,
  network,
  status: "Active",
  name,
  address,
  signingKey: { id: "key-1", scheme: "ECDSA", curve: "secp256k1" },
  dateCreated: "2026-11-23T00:00:00.000Z",
});
const till = wallet(ID, "till", "EthereumSepolia", ADDRESS);
const { ask } = answeringGateway({
  "GET /wallets": [
    {
      items: [
        till,
        wallet("wa-2", "both", "Polygon", ADDRESS),
        wallet("wa-3", "both", "Base", OTHERS),
        wallet("wa-4", "twice", "Base", OTHERS),
        wallet("wa-5", "twice", "Base"),
        wallet("wa-6", "signs", "KeyECDSA"),
        // a name that looks like an address is none
        wallet("wa-7", "0x00000000000000000000000000000000000000bb", "Base"),
      ],
    },
  ],
  [`GET /wallets/${ID}`]: [till],
  [`GET /wallets/${ID}/assets`]: [{ assets: ASSETS }],
  "GET /wallets/wa-3/assets": [{ assets: [] }],
});

it.each(["till", ID])("finds a wallet by %s", async (holder) => {
  expect(await balanceOfWallet(ask, holder, undefined)).toEqual({
    wallet: { id: ID, name: "till" },
    network: "EthereumSepolia",
    address: ADDRESS,
    assets: ASSETS,
  });
});

it("finds a wallet by its address in any spelling, on the network that is named", async () => {
  const found = await balanceOfWallet(ask, ADDRESS.toLowerCase(), "EthereumSepolia");
  expect(found?.wallet).toEqual({ id: ID, name: "till" });
  expect((await balanceOfWallet(ask, "both", "Base"))?.wallet?.id).toBe("wa-3");
});

it("leaves an address of no wallet to the network's node", async () => {
  expect(await balanceOfWallet(ask, ADDRESS, "Optimism")).toBeUndefined();
  expect(await balanceOfWallet(ask, "0x00000000000000000000000000000000000000bb", "Base")).toBeUndefined();
});

it("holds nothing on a network without a chain", async () => {
  expect(await balanceOfWallet(ask, "signs", undefined)).toMatchObject({ address: undefined, assets: [] });
});

it.each([
  [
    ADDRESS,
    undefined,
    `2 wallets are called ${ADDRESS}, on EthereumSepolia, Polygon`,
    /^Say which by --network/,
  ],
  ["both", undefined, "2 wallets are called both, on Polygon, Base", /^Say which by --network/],
  ["twice", "Base", "2 wallets are called twice, on Base", /^Name one by its id/],
  ["tull", undefined, "tull is no address, and no wallet is called so", /wallet list/],
  ["till", "Base", "till is no address, and no wallet on Base is called so", /wallet list/],
  [ID, "Base", `${ID} is no address, and no wallet on Base is called so`, /wallet list/],
] as const)("INV-9 refuses %s on %s in a sentence", async (holder, network, message, remedy) => {
  await expect(balanceOfWallet(ask, holder, network)).rejects.toMatchObject({
    name: "LaunchError",
    message,
    remedy: expect.stringMatching(remedy),
  });
});
