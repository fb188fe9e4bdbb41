import type { Act, ChainWallet } from "@conclave/custody";
import { type Database, readKey } from "@conclave/platform";

const fromHex = (digits: string): Uint8Array => new Uint8Array(Buffer.from(digits, "hex"));

/**
 * Public keys of the wallet and of the act's cosigners, in this order.
 * @throws when a cosigner key was never made: the gateway authorises no such act
 */
export const signingKeysOf = async (
  database: Pick<Database, "rows">,
  wallet: ChainWallet,
  { cosigners }: Act,
): Promise<readonly Uint8Array[]> => {
  const keys = [fromHex(wallet.signingKey.publicKey)];
  for (const keyId of cosigners) {
    const key = await readKey(database, keyId);
    // a key that was archived since then still signs what was accepted before
    if (key?.status !== "Active" && key?.status !== "Archived")
      throw new Error(`${keyId} is no key to sign with`);
    keys.push(fromHex(key.publicKey));
  }
  return keys;
};
