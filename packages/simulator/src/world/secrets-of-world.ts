import { insecureAuxiliaryPrimes, insecurePartySecrets } from "@conclave/threshold/testing";
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { WorldSecret } from "../check/inv-10.ts";
import { VAULT_KEY, WEBHOOK_KEY } from "../process/insecure-keys.ts";
import type { OwnWebhook } from "../webhook/webhook-facts.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

const NUMBER_BYTES = 32;

/** All secrets of a world that an observer knows: those of keys that signed, of the processes, and of webhooks. */
export const secretsOf = (
  { parts: { keys, authority, members } }: SimulatedCluster,
  webhooks: readonly OwnWebhook[],
): readonly WorldSecret[] => [
  ...keys.secrets.flatMap(({ keyId, whole, shares }) => [
    { name: `the key ${keyId}`, bytes: bytesOf(whole) },
    ...shares.map((share) => ({ name: `a share of ${keyId}`, bytes: bytesOf(share) })),
  ]),
  ...members.flatMap((index) => {
    const { identity, encryption } = insecurePartySecrets(index);
    return [
      { name: `the identity of signer-${index}`, bytes: identity },
      { name: `the encryption key of signer-${index}`, bytes: encryption },
      ...Object.values(insecureAuxiliaryPrimes(index)).map((prime) => ({
        name: `a prime of signer-${index}`,
        bytes: bytesOf(prime),
      })),
    ];
  }),
  { name: "the authority's key", bytes: authority.secret },
  { name: "the key of the vaults", bytes: hexToBytes(VAULT_KEY.reveal()) },
  { name: "the key of webhooks' secrets", bytes: hexToBytes(WEBHOOK_KEY.reveal()) },
  ...webhooks.map(({ id, secret }) => ({ name: `the secret of ${id}`, bytes: utf8ToBytes(secret) })),
];

/** Big-endian, without leading zeros where the number is longer than a key. */
const bytesOf = (number: bigint): Uint8Array => {
  const hex = number.toString(16).padStart(2 * NUMBER_BYTES, "0");
  return hexToBytes(hex.length % 2 === 0 ? hex : `0${hex}`);
};
