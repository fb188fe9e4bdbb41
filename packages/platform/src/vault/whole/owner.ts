import { Secret } from "@conclave/threshold";
import { sealValue, unsealValue } from "../sealing.ts";

/** The entry that holds the identity to which the store belongs. */
export const OWNER = "vault/2/owner";

export const sealOwner = (key: Secret<Uint8Array>, owner: Uint8Array): Uint8Array =>
  sealValue(key, OWNER, new Secret(owner));

/** @returns undefined if this store's key did not seal it */
export const ownerOf = (key: Secret<Uint8Array>, sealed: Uint8Array): Uint8Array | undefined =>
  unsealValue(key, OWNER, sealed)?.reveal();
