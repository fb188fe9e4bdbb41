import type {
  bulkCreateBodySchema,
  createAddressWatchBodySchema,
  createKeyBodySchema,
  createWalletBodySchema,
  delegateBodySchema,
  exportKeyBodySchema,
  importKeyBodySchema,
  importWalletBodySchema,
  signatureBodySchema,
  tagsBodySchema,
  updateKeyBodySchema,
  updateWalletBodySchema,
} from "@conclave/custody";
import { SAMPLE_IDS } from "../vocabulary/ids.ts";
import type { Examples } from "./examples.ts";

const { keyId, userId } = SAMPLE_IDS;
/** 0x01 and the generator of secp256k1, which belongs to no one */
const ENCRYPTION_KEY = Buffer.from(
  "010279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  "hex",
).toString("base64");

const shares = {
  protocol: "CGGMP24",
  curve: "secp256k1",
  minSigners: 3,
  encryptedKeyShares: [
    {
      signerId: Buffer.alloc(32, 1).toString("base64"),
      encryptedKeyShare: Buffer.from("what the client's utility sealed for this signer").toString("base64"),
    },
  ],
};

export const CREATE_WALLET_EXAMPLES: Examples<typeof createWalletBodySchema> = {
  "for signatures alone, without a chain": { network: "KeyECDSA" },
  "on a key that there is": { network: "KeyECDSA", signingKey: { id: keyId } },
  "with a name, tags and an id of yours": {
    network: "KeyECDSA",
    name: "Treasury",
    externalId: "treasury-1",
    tags: ["treasury"],
  },
  "that becomes an end user's later": { network: "KeyECDSA", delayDelegation: true },
};

export const BULK_CREATE_EXAMPLES: Examples<typeof bulkCreateBodySchema> = {
  "two wallets: Customer-1 and Customer-2": { network: "KeyECDSA", count: 2, name: "Customer" },
  "with tags": { network: "KeyECDSA", count: 1, name: "Branch", tags: ["branches"] },
};

export const CREATE_ADDRESS_WATCH_EXAMPLES: Examples<typeof createAddressWatchBodySchema> = {
  "an address of a customer": {
    network: "EthereumSepolia",
    address: "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
    name: "Customer",
    externalId: "customer-1",
  },
};

export const UPDATE_WALLET_EXAMPLES: Examples<typeof updateWalletBodySchema> = {
  "another name": { name: "Treasury" },
  "no name": { name: null },
};

export const TAGS_EXAMPLES: Examples<typeof tagsBodySchema> = {
  "two tags": { tags: ["treasury", "europe"] },
};

export const DELEGATE_EXAMPLES: Examples<typeof delegateBodySchema> = {
  "to an end user": { userId },
};

export const CREATE_KEY_EXAMPLES: Examples<typeof createKeyBodySchema> = {
  "ECDSA: EVM networks, Bitcoin, TRON": { scheme: "ECDSA", curve: "secp256k1", name: "Treasury" },
  "EdDSA: Solana, Stellar, Algorand": { scheme: "EdDSA", curve: "ed25519" },
  "Schnorr: Taproot": { scheme: "Schnorr", curve: "secp256k1" },
  "that becomes an end user's later": { scheme: "ECDSA", curve: "secp256k1", delayDelegation: true },
};

export const UPDATE_KEY_EXAMPLES: Examples<typeof updateKeyBodySchema> = {
  "another name": { name: "Treasury" },
};

export const SIGNATURE_EXAMPLES: Examples<typeof signatureBodySchema> = {
  "32 bytes": { kind: "Hash", hash: `0x${"2b".repeat(32)}` },
  "a message, as it is": { kind: "Message", message: "0x48656c6c6f" },
};

export const KEY_SIGNATURE_EXAMPLES: Examples<typeof signatureBodySchema> = {
  ...SIGNATURE_EXAMPLES,
  "32 bytes, for the coins of the key's own address": {
    kind: "Hash",
    hash: `0x${"2b".repeat(32)}`,
    taprootMerkleRoot: "",
  },
};

export const IMPORT_KEY_EXAMPLES: Examples<typeof importKeyBodySchema> = {
  "form: the client's utility makes it": { ...shares, name: "Treasury" },
};

export const IMPORT_WALLET_EXAMPLES: Examples<typeof importWalletBodySchema> = {
  "form: the client's utility makes it": { ...shares, network: "EthereumSepolia", name: "Treasury" },
};

export const EXPORT_KEY_EXAMPLES: Examples<typeof exportKeyBodySchema> = {
  "form: the client's utility makes it": {
    encryptionKey: ENCRYPTION_KEY,
    supportedSchemes: [
      { protocol: "CGGMP24", curve: "secp256k1" },
      { protocol: "FROST", curve: "ed25519" },
    ],
  },
};
