import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  ALGORAND_KEY,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  BITCOIN_KEY,
  BITCOIN_SIGNET,
  CONTRACT,
  openStubEvm,
  SEPOLIA,
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_MINT,
  SOLANA_RECIPIENT,
  STELLAR_KEY,
  STELLAR_RECIPIENT,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
  TRON_KEY,
  TRON_NILE,
  TRON_TOKEN,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  XRPL_TESTNET,
} from "@conclave/chains/testing";
import {
  makeTronTokens,
  openAgedXrpLedger,
  openScriptedLedger,
  openSolanaLedger,
  openStellarLedger,
  openTronLedger,
  TRON_TOKENS,
  WALLET_SAMPLES,
} from "@conclave/chains/testing/ledgers";
import type { KeyScheme } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { activateKey } from "../testing/activate-key.ts";
import { errorOf, walletOf } from "../testing/bodies.ts";
import { startWorld, type World } from "../testing/world.ts";

interface Node {
  /** its entry in the networks file */
  readonly entry: object;
  stop(): Promise<void>;
}

/** A recipient that could not use the money. */
interface Unusable {
  readonly what: string;
  readonly body: object;
  /** a part of the answer's message */
  readonly reason: string;
}

interface FamilyCase {
  readonly network: string;
  readonly scheme: KeyScheme;
  readonly publicKey: Uint8Array;
  open(): Promise<Node>;
  readonly unusable: readonly Unusable[];
}

const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const COLLECTION = `0x${"c0".repeat(20)}`;
const SUPPORTS = "0x01ffc9a7";
const wordOf = (value: bigint): string => `0x${value.toString(16).padStart(64, "0")}`;
/** Whether a collection supports the queried interface: ERC-165 or ERC-721. */
const supports = (data: string): bigint => (/^.{10}(01ffc9a7|80ac58cd)/.test(data) ? 1n : 0n);

/** A node of an EVM network where TOKEN is a token, and COLLECTION a collection. */
const openEvm = async (): Promise<Node> => {
  const stub = await openStubEvm(({ method, params: [asked] }) => {
    if (method === "eth_getCode") return { result: "0x00" };
    if (method !== "eth_call" || typeof asked !== "object" || asked === null) return undefined;
    const { to, data } = { to: "", data: "", ...asked };
    const isCollection = String(to).toLowerCase() === COLLECTION;
    const known = isCollection ? data.startsWith(SUPPORTS) : /^0x(18160ddd|313ce567)/.test(data);
    if (!known) return { error: { code: 3, message: "execution reverted", data: "0x" } };
    return { result: wordOf(isCollection ? supports(data) : 6n) };
  });
  const entry = {
    ...SEPOLIA,
    network: "BaseSepolia",
    chainId: 84_532,
    rpcUrl: stub.rpcUrl,
    confirmations: 1,
  };
  return { entry, stop: () => stub.close() };
};

const openBitcoin = async (): Promise<Node> => ({
  entry: { ...BITCOIN_SIGNET, bitcoindUrl: "http://127.0.0.1:9" },
  stop: async () => undefined,
});

const openAlgorand = async (): Promise<Node> => {
  const ledger = await openScriptedLedger("Algorand", ALGORAND_TESTNET.genesisId);
  await ledger.fund(ALGORAND_SENDER, 5_000_000);
  return { entry: { ...ALGORAND_TESTNET, algodUrl: ledger.url }, stop: () => ledger.stop() };
};

const openStellar = async (): Promise<Node> => {
  const ledger = await openStellarLedger();
  ledger.shows(`/accounts/${STELLAR_RECIPIENT}`, (account) => ({
    ...account,
    signers: [...Object(account["signers"])].map((signer) => ({ ...signer, weight: 0 })),
  }));
  const { url } = ledger.node;
  const entry = { ...STELLAR_TESTNET, horizonUrl: url, rpcUrl: `${url}/rpc` };
  return { entry, stop: () => ledger.stop() };
};

const openXrpl = async (): Promise<Node> => {
  const ledger = await openAgedXrpLedger({ [XRPL_SENDER]: 5_000_000, [XRPL_RECIPIENT]: 5_000_000 });
  ledger.shows(XRPL_RECIPIENT, { AMMID: "A".repeat(64) });
  return { entry: { ...XRPL_TESTNET, rippledUrl: ledger.node.url }, stop: () => ledger.stop() };
};

const openSolana = async (): Promise<Node> => {
  const ledger = await openSolanaLedger();
  const data = new Uint8Array(82);
  data.set([6, 1], 44);
  ledger.shows(SOLANA_RECIPIENT, { lamports: 1n, owner: TOKEN_PROGRAM, data });
  return { entry: WALLET_SAMPLES.Solana.entryAt(ledger.node.url), stop: () => ledger.stop() };
};

const openTron = async (): Promise<Node> => {
  const ledger = await openTronLedger();
  await makeTronTokens(ledger);
  return { entry: WALLET_SAMPLES.Tron.entryAt(ledger.url), stop: () => ledger.stop() };
};

const CASES: readonly FamilyCase[] = [
  {
    network: "BaseSepolia",
    scheme: "ECDSA",
    publicKey: BITCOIN_KEY.publicKey,
    open: openEvm,
    unusable: [
      {
        what: "a token's own contract",
        body: { kind: "Erc20", contract: CONTRACT, to: CONTRACT, amount: "1" },
        reason: "own contract",
      },
      {
        what: "a precompiled contract",
        body: { kind: "Native", to: `0x${"1".padStart(40, "0")}`, amount: "1" },
        reason: "EIP-1352",
      },
      {
        what: "another token's contract",
        body: { kind: "Erc20", contract: CONTRACT, to: `0x${"70".repeat(20)}`, amount: "1" },
        reason: "totalSupply",
      },
      {
        what: "a collection of collectibles",
        body: { kind: "Erc20", contract: CONTRACT, to: COLLECTION, amount: "1" },
        reason: "supportsInterface",
      },
    ],
  },
  {
    network: BITCOIN_SIGNET.network,
    scheme: "ECDSA",
    publicKey: BITCOIN_KEY.publicKey,
    open: openBitcoin,
    unusable: [
      {
        what: "a hash that was chosen for its looks",
        body: { kind: "Native", to: "mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8", amount: "120000" },
        reason: "nobody has its key",
      },
    ],
  },
  {
    network: ALGORAND_TESTNET.network,
    scheme: "FROST-Ed25519",
    publicKey: ALGORAND_KEY.publicKey,
    open: openAlgorand,
    unusable: [
      {
        what: "the fee sink",
        body: {
          kind: "Native",
          to: "A7NMWS3NT3IUDMLVO26ULGXGIIOUQ3ND2TXSER6EBGRZNOBOUIQXHIBGDE",
          amount: "1",
        },
        reason: "the fee sink of the test network",
      },
    ],
  },
  {
    network: STELLAR_TESTNET.network,
    scheme: "FROST-Ed25519",
    publicKey: STELLAR_KEY.publicKey,
    open: openStellar,
    unusable: [
      {
        what: "a locked account",
        body: { kind: "Native", to: STELLAR_RECIPIENT, amount: "15000000" },
        reason: "is locked",
      },
      {
        what: "the issuer of the asset",
        body: {
          kind: "Sep41",
          issuer: STELLAR_TOKEN.issuer,
          assetCode: STELLAR_TOKEN.code,
          to: STELLAR_TOKEN.issuer,
          amount: "5",
        },
        reason: "burnt",
      },
      {
        what: "an address without a contract",
        body: {
          kind: "Sep41",
          issuer: STELLAR_TOKEN.issuer,
          assetCode: STELLAR_TOKEN.code,
          to: "CAAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQC526",
          amount: "5",
        },
        reason: "No contract is at",
      },
    ],
  },
  {
    network: XRPL_TESTNET.network,
    scheme: "ECDSA",
    publicKey: XRPL_KEY.publicKey,
    open: openXrpl,
    unusable: [
      {
        what: "a black hole",
        body: { kind: "Native", to: "rrrrrrrrrrrrrrrrrNAMEtxvNvQ", amount: "1500000" },
        reason: "a black hole",
      },
      {
        what: "an account of the ledger itself",
        body: { kind: "Native", to: XRPL_RECIPIENT, amount: "1500000" },
        reason: "of the ledger itself",
      },
    ],
  },
  {
    network: SOLANA_DEVNET.network,
    scheme: "FROST-Ed25519",
    publicKey: SOLANA_KEY.publicKey,
    open: openSolana,
    unusable: [
      {
        what: "a program",
        body: { kind: "Native", to: TOKEN_PROGRAM, amount: "1500000000" },
        reason: "the Token program",
      },
      {
        what: "the token itself",
        body: { kind: "Spl", mint: SOLANA_MINT, to: SOLANA_MINT, amount: "5" },
        reason: "the token that is sent",
      },
      {
        what: "a mint",
        body: { kind: "Native", to: SOLANA_RECIPIENT, amount: "1500000000" },
        reason: "its mint",
      },
    ],
  },
  {
    network: TRON_NILE.network,
    scheme: "ECDSA",
    publicKey: TRON_KEY.publicKey,
    open: openTron,
    unusable: [
      {
        what: "a token's own contract",
        body: { kind: "Trc20", contract: TRON_TOKEN, to: TRON_TOKEN, amount: "5" },
        reason: "the contract of the token that is sent",
      },
      {
        what: "the black hole",
        body: { kind: "Native", to: "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy", amount: "1500000" },
        reason: "the black hole",
      },
      {
        what: "a contract",
        body: { kind: "Native", to: TRON_TOKENS.trc20, amount: "1500000" },
        reason: "by a call of its own alone",
      },
    ],
  },
];

describe.each(CASES)("on $network a transfer to a recipient that nobody can take from", (family) => {
  let world: World;
  let node: Node;
  let transfers: string;
  beforeAll(async () => {
    node = await family.open();
    const [entry = expect.fail("it is enabled")] = FAMILIES.networksSchema.parse([node.entry]);
    world = await startWorld({
      further: { family: FAMILIES.familyOf(entry.network), node: NODES.connect(entry) },
    });
    const { body } = await world.call("POST", "/wallets", {
      network: family.network,
      signingKey: { id: await activateKey(world, family.scheme, family.publicKey) },
    });
    transfers = `/wallets/${walletOf(body).id}/transfers`;
  });
  afterAll(async () => {
    await world.stop();
    await node.stop();
  });

  it.each(family.unusable)(
    "INV-9 is refused, and insisted on it is taken: $what",
    async ({ body, reason }) => {
      const rows = await world.rows();
      const answer = await world.call("POST", transfers, body);
      expect([answer.status, errorOf(answer.body)]).toMatchObject([
        400,
        {
          message: expect.stringContaining(reason),
          details: {
            code: "RecipientUnsuitable",
            field: "to",
            remedy: expect.stringContaining("sendAnyway"),
          },
        },
      ]);
      expect(await world.rows()).toBe(rows);
      const insisted = await world.call("POST", transfers, { ...body, sendAnyway: true });
      expect(insisted).toMatchObject({ status: 200, body: { status: "Pending", requestBody: body } });
    },
  );
});
