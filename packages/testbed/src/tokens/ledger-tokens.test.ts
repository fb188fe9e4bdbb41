import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type LedgerOptions,
  type RunningLedger,
  SYSTEM_CLOCK,
  startAlgorandLedger,
  startSolanaLedger,
  startStellarLedger,
  startTronLedger,
} from "@conclave/ledgers";
import { freePorts } from "@conclave/platform";
import { generateKeyPairSigner } from "@solana/kit";
import { Keypair, Operation } from "@stellar/stellar-sdk";
import algosdk from "algosdk";
import { utils } from "tronweb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fundAccount } from "../networks/fund.ts";
import type { DescribedNetwork } from "../networks/local-node.ts";
import { algodClient, assetTransferOf, landOnAlgorand } from "./algorand-assets.ts";
import { giveToken } from "./give-token.ts";
import { keptTokens } from "./kept-tokens.ts";
import { makeLocalToken } from "./make-token.ts";
import { assetOf, horizonOf, landOnStellar } from "./stellar-assets.ts";
import { TOKEN_KINDS } from "./token-kinds.ts";

let folder: string;
let file: string;
let ledger: RunningLedger | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-tokens-"));
  file = join(folder, "tokens.json");
});
afterEach(async () => {
  await ledger?.stop();
  ledger = undefined;
  rmSync(folder, { recursive: true });
});

/** Starts a ledger as a network's only node. */
const serve = async (
  network: string,
  start: (options: LedgerOptions) => Promise<RunningLedger>,
  chain: string,
): Promise<DescribedNetwork> => {
  const [port = 0, adminPort = 0] = await freePorts(2);
  ledger = await start({
    clock: SYSTEM_CLOCK,
    chain,
    seed: "test",
    // Horizon answers once a ledger holds the transaction
    blockMs: 200,
    listen: { host: "127.0.0.1", port },
    adminPort,
    token: undefined,
  });
  return { network, url: ledger.url, adminUrl: ledger.adminUrl };
};

const order = { symbol: "USDC", decimals: undefined, supply: "1000" };

/** The units of the only token that its maker has left. */
const left = async ({ url, adminUrl }: DescribedNetwork): Promise<bigint | undefined> => {
  const [token] = keptTokens(file);
  const factory = await TOKEN_KINDS.find(({ kind }) => kind === token?.kind)?.load();
  const makerKey = Buffer.from(token?.makerKey ?? "", "hex");
  return factory?.left({ urls: { url, adminUrl }, makerKey, id: token?.id ?? "" });
};

describe("a token of a simulated ledger", () => {
  it.each(["Trc10", "Trc20"])("of kind %s is paid out of its supply", async (kind) => {
    const served = await serve("Tron", startTronLedger, "conclave-tron-main");
    const to = utils.accounts.generateAccount().address.base58;
    await makeLocalToken([served], file, { ...order, network: "Tron", kind });
    const paid = { network: "Tron", token: "USDC", to, amount: "7.25" };
    expect(await giveToken([served], file, paid)).toMatchObject({ amount: "7.25", collectibles: [] });
    expect(await left(served)).toBe(992_750_000n);
    await expect(giveToken([served], file, { ...paid, to: "T1" })).rejects.toThrow("T1 is no TRON address");
  });

  it.each(["Spl", "Spl2022"])("of kind %s is paid out of its supply", async (kind) => {
    const served = await serve("Solana", startSolanaLedger, "conclave-main");
    const to = (await generateKeyPairSigner()).address;
    await makeLocalToken([served], file, { ...order, network: "Solana", kind });
    await giveToken([served], file, { network: "Solana", token: "USDC", to, amount: "7.25" });
    expect(await left(served)).toBe(992_750_000n);
  });

  it("whose block was replaced is gone, and can be made again", async () => {
    const served = await serve("Tron", startTronLedger, "conclave-tron-main");
    const to = utils.accounts.generateAccount().address.base58;
    const asked = { ...order, network: "Tron", kind: "Trc20" };
    const first = await makeLocalToken([served], file, asked);
    await expect(makeLocalToken([served], file, asked)).rejects.toThrow(`Tron has a token USDC: ${first.id}`);
    writeFileSync(file, readFileSync(file, "utf8").replace(first.id, to));
    await expect(
      giveToken([served], file, { network: "Tron", token: "USDC", to, amount: "1" }),
    ).rejects.toThrow("Tron has no USDC any more");
    const again = await makeLocalToken([served], file, asked);
    expect(keptTokens(file)).toEqual([again]);
  });

  it("of kind Asa is paid to accounts that have opted in", async () => {
    const served = await serve("Algorand", startAlgorandLedger, "conclave-main-v1");
    const account = algosdk.generateAccount();
    const to = account.addr.toString();
    await fundAccount([served], "Algorand", to, "10");
    const { id } = await makeLocalToken([served], file, { ...order, network: "Algorand", kind: "Asa" });
    const paid = { network: "Algorand", token: "USDC", to, amount: "7.25" };
    await expect(giveToken([served], file, paid)).rejects.toThrow(`has not opted in to the asset ${id}`);
    await landOnAlgorand(served, await assetTransferOf(served, account, to, BigInt(id), 0));
    await giveToken([served], file, paid);
    const { assets } = await algodClient(served).accountInformation(to).do();
    expect(assets).toMatchObject([{ amount: 7_250_000n }]);
  });

  it("of kind Sep41 is paid to accounts with a trustline", async () => {
    const served = await serve("Stellar", startStellarLedger, "Conclave main ; v1");
    const account = Keypair.random();
    const to = account.publicKey();
    await fundAccount([served], "Stellar", to, "10");
    const { id } = await makeLocalToken([served], file, {
      ...order,
      network: "Stellar",
      kind: "Sep41",
    });
    const paid = { network: "Stellar", token: "USDC", to, amount: "7.25" };
    await expect(giveToken([served], file, paid)).rejects.toThrow(`has no trustline for ${id}`);
    await landOnStellar(served, account, Operation.changeTrust({ asset: assetOf(id) }));
    await giveToken([served], file, paid);
    const { balances } = await horizonOf(served).loadAccount(to);
    expect(balances).toContainEqual(expect.objectContaining({ asset_code: "USDC", balance: "7.2500000" }));
  });
});

describe("the file of tokens", () => {
  it("is its owner's alone", async () => {
    const served = await serve("Stellar", startStellarLedger, "Conclave main ; v1");
    await makeLocalToken([served], file, { ...order, network: "Stellar", kind: "Sep41" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each(["", "{}", "[{}]", '[{"network":"Polygon"}]'])("INV-9 that holds %j is refused", (text) => {
    writeFileSync(file, text);
    expect(() => keptTokens(file)).toThrow(`${file} is damaged`);
  });
});

it("INV-9 a token is refused that its chain does not know", async () => {
  const served = await serve("Stellar", startStellarLedger, "Conclave main ; v1");
  const refused = (more: object) =>
    makeLocalToken([served], file, { ...order, network: "Stellar", kind: "Sep41", ...more });
  await expect(refused({ kind: "Erc20" })).rejects.toMatchObject({ remedy: "Its kinds are Sep41." });
  await expect(refused({ decimals: 6 })).rejects.toThrow("Sep41 has no 6 decimal places");
  await expect(refused({ symbol: "US DC" })).rejects.toThrow("US DC is no symbol of Sep41");
  await expect(refused({ symbol: "ABCDEFGHIJKLM" })).rejects.toThrow("is no symbol of Sep41");
  await expect(refused({ supply: "999999999999999999" })).rejects.toThrow("more than Sep41 can count");
  await expect(refused({ supply: "-1" })).rejects.toThrow("-1 is no amount");
  await expect(refused({ network: "Polygon" })).rejects.toThrow("no local node of Polygon");
  expect(keptTokens(file)).toEqual([]);
});
