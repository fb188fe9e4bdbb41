import type { SchemeSignature } from "@conclave/custody";
import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexToBytes } from "viem/utils";
import { addressOf } from "../evm/address.ts";

export interface TestAccount {
  /** 33 bytes */
  readonly publicKey: Uint8Array;
  readonly address: string;
  sign(digest: Uint8Array): Extract<SchemeSignature, { readonly scheme: "CGGMP24" }>;
}

/** A whole private key in one process, which only tests have: they test the steps around signing, not the threshold signing. */
export const testAccount = (secretKeyHex: string): TestAccount => {
  const secretKey = hexToBytes(`0x${secretKeyHex}`);
  const publicKey = secp256k1.getPublicKey(secretKey, true);
  return {
    publicKey,
    address: addressOf(publicKey),
    sign: (digest) => {
      const bytes = secp256k1.sign(digest, secretKey, { prehash: false, lowS: true, format: "recovered" });
      const { r, s, recovery = 0 } = secp256k1.Signature.fromBytes(bytes, "recovered");
      return { scheme: "CGGMP24", r, s, recovery: recovery === 0 ? 0 : 1 };
    },
  };
};

export interface TestEdwardsKey {
  /** 32 bytes */
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): SchemeSignature;
}

/** Like `testAccount`, for an Ed25519 key. */
export const testEdwardsKey = (secretKeyHex: string): TestEdwardsKey => {
  const secretKey = hexToBytes(`0x${secretKeyHex}`);
  return {
    publicKey: ed25519.getPublicKey(secretKey),
    sign: (message) => ({ scheme: "FROST-Ed25519", bytes: ed25519.sign(message, secretKey) }),
  };
};
