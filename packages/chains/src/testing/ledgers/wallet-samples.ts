import type { KeyScheme, SchemeSignature } from "@conclave/custody";
import { makeBitcoindGenesis } from "@conclave/ledgers/genesis";
import type { EnabledNetwork, NetworkEntry } from "../../chain.ts";
import {
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASSET_ID,
} from "../algorand-samples.ts";
import { BITCOIN_KEY, BITCOIN_RECIPIENT, BITCOIN_SENDER, BITCOIN_SIGNET } from "../bitcoin-samples.ts";
import { firstEntry } from "../conformance/first-entry.ts";
import {
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_MINT,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
} from "../solana-samples.ts";
import {
  STELLAR_KEY,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
} from "../stellar-samples.ts";
import { TRON_KEY, TRON_NILE, TRON_RECIPIENT, TRON_SENDER } from "../tron-samples.ts";
import { XRPL_KEY, XRPL_RECIPIENT, XRPL_SENDER, XRPL_TESTNET } from "../xrpl-samples.ts";
import { LEDGER_SEED } from "./scripted-ledger.ts";
import { solanaEntryAt } from "./solana-ledger.ts";
import { TRON_TOKENS, tronEntryAt } from "./tron-ledger.ts";

/** A transfer as a caller of the API asks for it. */
interface AskedTransfer {
  readonly kind: string;
  readonly to: string;
  readonly [field: string]: string;
}

/** A network of a family with one wallet and transfers of it, shared by tests of gateway and orchestrator. */
export interface WalletSample {
  /** the chain's name in titles of tests */
  readonly title: string;
  /** the entry of the networks file for a node at this URL */
  readonly entryAt: (url: string) => EnabledNetwork;
  /** the family's main network, which tests do not serve */
  readonly mainNetwork: string;
  readonly scheme: KeyScheme;
  /** the whole private key in one process, which only tests have */
  readonly key: { readonly publicKey: Uint8Array; sign(bytes: Uint8Array): SchemeSignature };
  readonly sender: string;
  readonly native: AskedTransfer & { readonly kind: "Native"; readonly amount: string };
  readonly tokens: readonly AskedTransfer[];
  /** the kind of a request with exact bytes */
  readonly bytesKind: "Psbt" | "Transaction";
  /** the native transfer's fee on test ledgers; undefined if it depends on the spent coins */
  readonly fee: string | undefined;
}

/** @param network the family's sample network @param at returns the entry's fields that hold the node's URL */
const entryOf = (network: NetworkEntry, at: (url: string) => object) => (url: string) =>
  firstEntry({ ...network, ...at(url) });

/** One wallet of each family with exact-bytes requests. */
export const WALLET_SAMPLES = {
  Algorand: {
    title: "Algorand",
    entryAt: entryOf(ALGORAND_TESTNET, (algodUrl) => ({ algodUrl })),
    mainNetwork: "Algorand",
    scheme: "FROST-Ed25519",
    key: ALGORAND_KEY,
    sender: ALGORAND_SENDER,
    native: { kind: "Native", to: ALGORAND_RECIPIENT, amount: "1500000" },
    tokens: [{ kind: "Asa", assetId: ASSET_ID, to: ALGORAND_RECIPIENT, amount: "5" }],
    bytesKind: "Transaction",
    fee: "1000",
  },
  Bitcoin: {
    title: "Bitcoin",
    entryAt: entryOf(BITCOIN_SIGNET, (bitcoindUrl) => ({
      genesisHash: makeBitcoindGenesis("signet", LEDGER_SEED).block.hash,
      bitcoindUrl,
    })),
    mainNetwork: "Bitcoin",
    scheme: "ECDSA",
    key: BITCOIN_KEY,
    sender: BITCOIN_SENDER,
    native: { kind: "Native", to: BITCOIN_RECIPIENT, amount: "120000" },
    tokens: [],
    bytesKind: "Psbt",
    fee: undefined,
  },
  Solana: {
    title: "Solana",
    entryAt: entryOf(SOLANA_DEVNET, solanaEntryAt),
    mainNetwork: "Solana",
    scheme: "FROST-Ed25519",
    key: SOLANA_KEY,
    sender: SOLANA_SENDER,
    native: { kind: "Native", to: SOLANA_RECIPIENT, amount: "1500000000" },
    tokens: [{ kind: "Spl", mint: SOLANA_MINT, to: SOLANA_RECIPIENT, amount: "5" }],
    bytesKind: "Transaction",
    fee: "5000",
  },
  Stellar: {
    title: "Stellar",
    entryAt: entryOf(STELLAR_TESTNET, (horizonUrl) => ({ horizonUrl })),
    mainNetwork: "Stellar",
    scheme: "FROST-Ed25519",
    key: STELLAR_KEY,
    sender: STELLAR_SENDER,
    native: { kind: "Native", to: STELLAR_RECIPIENT, amount: "15000000" },
    tokens: [
      {
        kind: "Sep41",
        issuer: STELLAR_TOKEN.issuer,
        assetCode: STELLAR_TOKEN.code,
        to: STELLAR_RECIPIENT,
        amount: "5",
      },
    ],
    bytesKind: "Transaction",
    fee: "100",
  },
  Tron: {
    title: "TRON",
    entryAt: entryOf(TRON_NILE, tronEntryAt),
    mainNetwork: "Tron",
    scheme: "ECDSA",
    key: TRON_KEY,
    sender: TRON_SENDER,
    native: { kind: "Native", to: TRON_RECIPIENT, amount: "1500000" },
    tokens: [
      { kind: "Trc10", tokenId: TRON_TOKENS.trc10, to: TRON_RECIPIENT, amount: "5" },
      { kind: "Trc20", contract: TRON_TOKENS.trc20, to: TRON_RECIPIENT, amount: "5" },
      { kind: "Trc721", contract: TRON_TOKENS.trc721, to: TRON_RECIPIENT, tokenId: "7" },
    ],
    bytesKind: "Transaction",
    // includes the creation of the recipient's account
    fee: "1100000",
  },
  Xrpl: {
    title: "the XRP Ledger",
    entryAt: entryOf(XRPL_TESTNET, (rippledUrl) => ({ rippledUrl })),
    mainNetwork: "XrpLedger",
    scheme: "ECDSA",
    key: XRPL_KEY,
    sender: XRPL_SENDER,
    native: { kind: "Native", to: XRPL_RECIPIENT, amount: "1500000" },
    tokens: [],
    bytesKind: "Transaction",
    fee: "12",
  },
} as const satisfies Readonly<Record<string, WalletSample>>;
