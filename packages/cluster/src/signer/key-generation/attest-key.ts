import { attestationBytes, type KeyScheme } from "@conclave/custody";
import { type PartySecrets, type SchemeName, type Secret, signEd25519 } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import { storedKey } from "../records/key-records.ts";
import type { SignerState } from "../state.ts";

const schemeForCallers = (scheme: SchemeName): KeyScheme => (scheme === "CGGMP24" ? "ECDSA" : scheme);

/**
 * What this signer says of a key, signed with its identity key: a reader that pins that key in its roster need not
 * trust who carries it. Of a pending share it says nothing, for the key may never come to be.
 *
 * @returns 64 bytes of Ed25519 over `attestationBytes`; undefined when it holds no active share of the key
 */
export const attestKey = (
  state: Pick<SignerState, "history">,
  keyId: string,
  secrets: Secret<PartySecrets>,
): Uint8Array | undefined => {
  const key = storedKey(state, keyId);
  if (key?.state !== "active") return undefined;
  const { scheme, publicKey } = key;
  const attested = { keyId, scheme: schemeForCallers(scheme), publicKey: bytesToHex(publicKey) };
  return signEd25519(attestationBytes(attested), secrets.reveal().identity);
};
