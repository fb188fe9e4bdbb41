import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { World } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import { ConfigurationError } from "../config/index.ts";
import { sealValue, unsealValue } from "../vault/sealing.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 32;
/** 248 = 4 · 62; higher bytes are skipped, because they would make some letters more likely */
const FAIR_BYTE_MAX = 248;
const KEY_FILE = /^[0-9a-f]{64}$/;

/** Makes a webhook's secret: `whs-` and 32 letters and digits (wire interface, section D.1). */
export const makeWebhookSecret = (entropy: World["entropy"]): Secret<string> => {
  let text = "";
  while (text.length < SECRET_LENGTH) {
    for (const byte of entropy(SECRET_LENGTH)) {
      if (byte < FAIR_BYTE_MAX && text.length < SECRET_LENGTH) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return new Secret(`whs-${text}`);
};

/** Encrypts webhook secrets for the database, under a key that only gateway and orchestrator have (INV-10). */
export interface WebhookSecrets {
  seal(webhookId: string, secret: Secret<string>): Uint8Array;
  /** Decrypts a secret; undefined if the bytes were not sealed for this webhook under this key. */
  open(webhookId: string, sealed: Uint8Array): Secret<string> | undefined;
}

/**
 * @param key 32 bytes
 * @param entropy makes the nonces; the system's randomness where it is left out
 */
export const makeWebhookSecrets = (key: Secret<Uint8Array>, entropy?: World["entropy"]): WebhookSecrets => ({
  seal: (webhookId, secret) =>
    sealValue(key, webhookId, new Secret(Buffer.from(secret.reveal(), "utf8")), entropy),
  open: (webhookId, sealed) => {
    const opened = unsealValue(key, webhookId, sealed);
    return opened === undefined ? undefined : new Secret(Buffer.from(opened.reveal()).toString("utf8"));
  },
});

/** Makes the content of a file `webhook.key`. */
export const makeWebhookKey = (): Secret<string> => new Secret(randomBytes(32).toString("hex"));

/**
 * @param key 32 bytes in hex, the content of the file
 * @param entropy makes the nonces; the system's randomness where it is left out
 */
export const webhookSecretsOf = (key: Secret<string>, entropy?: World["entropy"]): WebhookSecrets =>
  makeWebhookSecrets(new Secret(new Uint8Array(Buffer.from(key.reveal(), "hex"))), entropy);

/** @throws ConfigurationError if the file is missing or holds no key */
export const loadWebhookSecrets = async (path: string): Promise<WebhookSecrets> => {
  const text = await readFile(path, "utf8").catch(() => "");
  if (!KEY_FILE.test(text.trim())) {
    throw new ConfigurationError(
      `${path} does not hold the key of webhooks' secrets. Provision the cluster again: what is there stays as it is.`,
    );
  }
  return webhookSecretsOf(new Secret(text.trim()));
};
