import type { KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError, loadPassphrase, loadSigningKey } from "@conclave/platform";
import type { GatewayConfig } from "../config.ts";

/** The gateway's two Ed25519 keys. */
export interface GatewayKeys {
  /** signs authorisations; signers act on nothing else */
  readonly authority: KeyObject;
  /** signs bearer tokens */
  readonly token: KeyObject;
}

/** @throws ConfigurationError when a key is missing or cannot be opened */
export const loadKeys = async (config: GatewayConfig): Promise<GatewayKeys> => {
  const passphrase = await loadPassphrase({
    keyFile: config.CONCLAVE_KEY_FILE,
    passphrase: config.CONCLAVE_PASSPHRASE,
  });
  if (!passphrase.ok) throw new ConfigurationError(passphrase.problem.message);
  const load = async (file: string): Promise<KeyObject> => {
    const path = join(config.CONCLAVE_GATEWAY_DIR, file);
    const pem = await readFile(path, "utf8").catch(() => {
      throw new ConfigurationError(
        `${path} cannot be read. Set CONCLAVE_GATEWAY_DIR to the gateway's folder.`,
      );
    });
    const key = loadSigningKey(pem, passphrase.value);
    if (!key.ok) throw new ConfigurationError(`${path}: ${key.problem.message}`);
    return key.value;
  };
  return { authority: await load("authority.key"), token: await load("token.key") };
};
