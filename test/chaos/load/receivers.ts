import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { FAMILY_DRIVERS } from "@conclave/testbed/families";
import { computeAddress, SigningKey } from "ethers";

/** The PKCS #8 bytes (RFC 8410) before the 32 bytes of an Ed25519 key. */
const ED25519_PREFIX = "302e020100300506032b657004220420";
const PUBLIC_KEY_BYTES = 32;
/** Families whose accounts are Ed25519 keys. */
const OF_ED25519: ReadonlySet<string> = new Set(["Algorand", "Solana", "Stellar"]);

const ed25519PublicKey = (seed: Buffer): string => {
  const key = Buffer.concat([Buffer.from(ED25519_PREFIX, "hex"), seed]);
  const privateKey = createPrivateKey({ key, format: "der", type: "pkcs8" });
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return spki.subarray(-PUBLIC_KEY_BYTES).toString("hex");
};

/** The smallest amount that can be paid to a new address. */
export const leastPayment = (network: string): bigint =>
  FAMILY_DRIVERS.find((driver) => driver.network === network)?.least ?? 1n;

/**
 * The address of a receiver outside the cluster. Equal seeds and numbers give the same address. Some chains refuse made-up
 * addresses, so the chain's own library derives it from a real key.
 */
export const receiverOf = (network: string, seed: number, number: number): string => {
  const secret = createHash("sha256").update(`receiver ${number} of seed ${seed} on ${network}`).digest();
  const ofPoint = (): string => new SigningKey(secret).compressedPublicKey.slice(2);
  const driver = FAMILY_DRIVERS.find((one) => one.network === network);
  if (driver === undefined) return computeAddress(`0x${ofPoint()}`);
  return driver.addressOf(OF_ED25519.has(network) ? ed25519PublicKey(secret) : ofPoint());
};
