import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAMILIES } from "@conclave/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { listenSchema, loadNetworks, loadRoster, readEnvironment, signersListing } from "./index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "conclave-config-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = async (content: unknown): Promise<string> => {
  const path = join(folder, "file.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};

const signer = (index: number) => ({
  index,
  id: `signer-${index}`,
  address: `127.0.0.1:${9_000 + index}`,
  identityKey: `${index}`.repeat(64),
  encryptionKey: `${index + 4}`.repeat(64),
});
const roster = {
  clusterId: "test",
  parameters: "CGGMP24-128",
  threshold: 2,
  authorityKey: "a".repeat(64),
  signers: [signer(1), signer(2), signer(3)],
};
/** Points of secp256k1: the generator, its double and its triple. */
const IMPORT_KEYS = [
  "010279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  "0102c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
  "0102f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
] as const;
const withImportKeys = (...keys: readonly string[]) => ({
  ...roster,
  signers: roster.signers.map((each, at) => ({ ...each, importKey: keys[at] })),
});
const network = {
  network: "EthereumSepolia",
  family: "Evm",
  chainId: 11_155_111,
  rpcUrl: "http://127.0.0.1:8545",
  confirmations: 1,
  feeCap: "100000000000000000",
};

describe("the environment", () => {
  const schema = z.object({ WHERE: listenSchema.describe("Set host:port."), WHAT: z.string().optional() });

  it("is read by its schema", () => {
    expect(readEnvironment(schema, { WHERE: "0.0.0.0:80", WHAT: "x", OTHER: "y" })).toEqual({
      WHERE: { host: "0.0.0.0", port: 80 },
      WHAT: "x",
    });
  });

  it.each([undefined, ""])("is refused with the variable's name and remedy when it is %j", (value) => {
    expect(() => readEnvironment(schema, { WHERE: value })).toThrow("WHERE: is not set. Set host:port.");
  });

  it.each(["nowhere", "a:b", "a:99999", ":80"])("is refused when the address to listen on is %s", (value) => {
    expect(() => readEnvironment(schema, { WHERE: value })).toThrow(/WHERE: .*Set host:port\./);
  });
});

describe("a roster", () => {
  it("is read from its file", async () => {
    expect(await loadRoster(await file(roster))).toEqual(roster);
  });

  it("may name a key for every signer to which clients encrypt shares", async () => {
    const read = await loadRoster(await file(withImportKeys(...IMPORT_KEYS)));
    expect(read.signers.map(({ importKey }) => importKey)).toEqual(IMPORT_KEYS);
  });

  it.each([
    ["names import keys for some signers alone", withImportKeys(IMPORT_KEYS[0], IMPORT_KEYS[1])],
    ["gives two signers one import key", withImportKeys(IMPORT_KEYS[0], IMPORT_KEYS[1], IMPORT_KEYS[0])],
    [
      "has an import key that is no point",
      withImportKeys(IMPORT_KEYS[0], IMPORT_KEYS[1], `0102${"f".repeat(64)}`),
    ],
    [
      "has an import key of another version",
      withImportKeys(IMPORT_KEYS[0], IMPORT_KEYS[1], IMPORT_KEYS[2].replace("01", "02")),
    ],
    ["asks for more signers than there are", { ...roster, threshold: 4 }],
    ["lets one signer sign alone", { ...roster, threshold: 1 }],
    ["skips an index", { ...roster, signers: [signer(1), signer(3)] }],
    [
      "gives two signers one identity",
      { ...roster, signers: [signer(1), { ...signer(2), identityKey: "1".repeat(64) }] },
    ],
    [
      "gives a signer an encryption key of small order, which would make every other signer fail",
      { ...roster, signers: [signer(1), signer(2), { ...signer(3), encryptionKey: `01${"0".repeat(62)}` }] },
    ],
    ["names parameters that do not exist", { ...roster, parameters: "SMALL" }],
    ["has an unknown field", { ...roster, colour: "red" }],
    ["is not JSON", "{"],
  ])("is refused when it %s", async (_, content) => {
    await expect(loadRoster(await file(content))).rejects.toThrow(/the cluster's roster in .*file\.json/);
  });

  it("that is missing is named with its path", async () => {
    await expect(loadRoster("/nowhere/roster.json")).rejects.toThrow(
      "the cluster's roster cannot be read from /nowhere/roster.json (ENOENT): name the right file, or make it by `conclave provision`",
    );
  });
});

describe("the listing of signers for import clients", () => {
  const listing = async (content: unknown) => signersListing(await loadRoster(await file(content)));

  it("names each signer by 32 bytes, and its key by 34, both in standard base64", async () => {
    const { clusters } = await listing(withImportKeys(...IMPORT_KEYS));
    expect(clusters.map(({ clusterId, signers }) => [clusterId, signers.length])).toEqual([["test", 3]]);
    const signers = clusters[0]?.signers ?? [];
    expect(signers.map((each) => Buffer.from(each.encryptionKey, "base64").toString("hex"))).toEqual(
      IMPORT_KEYS,
    );
    const ids = signers.map(({ signerId }) => signerId);
    expect(ids.every((id) => /^[A-Za-z0-9+/]{43}=$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(3);
  });

  it("has no cluster when the roster is of a version without import keys", async () => {
    expect(await listing(roster)).toEqual({ clusters: [] });
  });
});

describe("the list of networks", () => {
  it("is read from its file", async () => {
    expect(await loadNetworks(await file([network]), FAMILIES)).toEqual([network]);
  });

  const algorand = {
    network: "AlgorandTestnet",
    family: "Algorand",
    genesisId: "testnet-v1.0",
    genesisHash: "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=",
    algodUrl: "https://node.example:4001",
    algodToken: "a".repeat(64),
    feeCap: "100000",
  };

  const xrpl = {
    network: "XrpLedger",
    family: "Xrpl",
    networkId: 0,
    rippledUrl: "https://node.example:51234",
    feeCap: "10000",
  };

  const stellar = {
    network: "StellarTestnet",
    family: "Stellar",
    passphrase: "Test SDF Network ; September 2015",
    horizonUrl: "https://node.example",
    rpcUrl: "https://node.example/rpc",
    feeCap: "1000000",
  };

  const tron = {
    network: "TronNile",
    family: "Tron",
    genesisBlock: "0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc",
    fullNodeUrl: "https://node.example:8090",
    solidityNodeUrl: "https://node.example:8091",
    apiKey: "a".repeat(36),
    feeCap: "100000000",
  };

  it("has entries of several families, each in the form of its own", async () => {
    const { algodToken: _, ...open } = algorand;
    const { rpcUrl: __, ...classic } = stellar;
    const { solidityNodeUrl: ___, apiKey: ____, ...whole } = tron;
    for (const entry of [algorand, open, stellar, classic, tron, whole, xrpl]) {
      expect(await loadNetworks(await file([network, entry]), FAMILIES)).toEqual([network, entry]);
    }
  });

  const bitcoin = {
    network: "BitcoinSignet",
    family: "Bitcoin",
    genesisHash: "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
    bitcoindUrl: "http://node.example:38332",
    bitcoindUser: "conclave",
    bitcoindPassword: "a long one",
    feeCap: "100000",
  };

  it("has entries of Bitcoin, with six confirmations where they say nothing else", async () => {
    const { bitcoindUser: _, bitcoindPassword: __, ...open } = bitcoin;
    for (const entry of [bitcoin, open]) {
      expect(await loadNetworks(await file([entry]), FAMILIES)).toEqual([{ ...entry, finality: 6 }]);
      const deep = { ...entry, finality: 2 };
      expect(await loadNetworks(await file([deep]), FAMILIES)).toEqual([deep]);
    }
  });

  it.each([
    ["names one chain of Bitcoin twice", [bitcoin, { ...bitcoin, network: "BitcoinTestnet4" }]],
    ["has a genesis hash of Bitcoin in base64", [{ ...bitcoin, genesisHash: "SGO1GKSzyE7IEA==" }]],
    ["has a user without a password", [{ ...bitcoin, bitcoindPassword: undefined }]],
    ["has a user with a colon", [{ ...bitcoin, bitcoindUser: "a:b" }]],
    ["has a password of two lines", [{ ...bitcoin, bitcoindPassword: "a\nb" }]],
    ["believes blocks at once", [{ ...bitcoin, finality: 0 }]],
    ["names a node of Bitcoin by a file", [{ ...bitcoin, bitcoindUrl: "file:///etc/passwd" }]],
    ["has no fee cap for Bitcoin", [{ ...bitcoin, feeCap: "0" }]],
    ["calls Litecoin Bitcoin", [{ ...bitcoin, network: "Litecoin" }]],
    ["names a chain twice", [algorand, { ...algorand, network: "Algorand" }]],
    ["gives Algorand a chain id", [{ ...algorand, chainId: 5 }]],
    ["has a genesis hash that is too short", [{ ...algorand, genesisHash: "SGO1GKSzyE7IEA==" }]],
    ["has a genesis hash in hex", [{ ...algorand, genesisHash: "48".repeat(32) }]],
    ["has no genesis id", [{ ...algorand, genesisId: undefined }]],
    ["has a token of two lines", [{ ...algorand, algodToken: "a\nb" }]],
    ["names a node by a file", [{ ...algorand, algodUrl: "file:///etc/passwd" }]],
    ["has no fee cap", [{ ...algorand, feeCap: "0" }]],
    ["names a chain of TRON twice", [tron, { ...tron, network: "Tron" }]],
    ["has a genesis block that is too short", [{ ...tron, genesisBlock: "00" }]],
    ["has no genesis block of TRON", [{ ...tron, genesisBlock: undefined }]],
    ["names a full node by a file", [{ ...tron, fullNodeUrl: "file:///etc/passwd" }]],
    ["names a solidity node by a word", [{ ...tron, solidityNodeUrl: "node" }]],
    ["has an API key of two lines", [{ ...tron, apiKey: "a\nb" }]],
    ["has a fee cap in TRX", [{ ...tron, feeCap: "100 TRX" }]],
    ["names a chain of the XRP Ledger twice", [xrpl, { ...xrpl, network: "XrpLedgerTestnet" }]],
    ["has no network id", [{ ...xrpl, networkId: undefined }]],
    ["has a network id of more than 32 bits", [{ ...xrpl, networkId: 2 ** 32 }]],
    ["speaks to rippled over a WebSocket", [{ ...xrpl, rippledUrl: "wss://node.example" }]],
    ["has a fee cap in XRP", [{ ...xrpl, feeCap: "0.01" }]],
    ["names a chain of Stellar twice", [stellar, { ...stellar, network: "Stellar" }]],
    ["has a passphrase of two lines", [{ ...stellar, passphrase: "a\nb" }]],
    ["has no passphrase", [{ ...stellar, passphrase: "" }]],
    ["names a Horizon by a file", [{ ...stellar, horizonUrl: "file:///etc/passwd" }]],
    ["names a Stellar RPC by a word", [{ ...stellar, rpcUrl: "rpc" }]],
    ["has a fee cap beyond what a transaction can offer", [{ ...stellar, feeCap: "99999999999" }]],
  ])("is refused when it %s", async (_, content) => {
    await expect(loadNetworks(await file(content), FAMILIES)).rejects.toThrow(/the list of networks in /);
  });

  it.each([
    ["names a network twice", [network, { ...network, chainId: 5 }]],
    ["names a chain twice", [network, { ...network, network: "EthereumHolesky" }]],
    ["gives a network to another family", [{ ...network, network: "Solana" }]],
    ["names a network that does not exist", [{ ...network, network: "Nowhere" }]],
    ["has a fee cap that is not a number", [{ ...network, feeCap: "1 ether" }]],
    ["points to a file", [{ ...network, rpcUrl: "file:///etc/passwd" }]],
  ])("is refused when it %s", async (_, content) => {
    await expect(loadNetworks(await file(content), FAMILIES)).rejects.toThrow(/the list of networks in /);
  });
});
