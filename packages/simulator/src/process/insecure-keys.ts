import { Secret } from "@conclave/threshold";

/** INSECURE: the key of the vaults of all signers, 32 bytes in hex */
export const VAULT_KEY = new Secret("5a".repeat(32));

/** INSECURE: the key of webhooks' secrets, 32 bytes in hex */
export const WEBHOOK_KEY = new Secret("77".repeat(32));
