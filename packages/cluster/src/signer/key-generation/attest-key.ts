import {
  attestationBytes,
  type KeyAttestation,
  type KeyScheme,
  keyIdSchema,
  organisationIdSchema,
  type SignedStatement,
  statementBytes,
} from "@conclave/custody";
import { type PartySecrets, type SchemeName, type Secret, signEd25519 } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import { storedKey } from "../records/key-records.ts";
import type { KeyRecord } from "../records/record.ts";
import { holdersOfKey } from "../signing/signing-material.ts";
import type { SignerState } from "../state.ts";

const schemeForCallers = (scheme: SchemeName): KeyScheme => (scheme === "CGGMP24" ? "ECDSA" : scheme);

/**
 * This signer's statement on a key, signed with its identity key: a reader who pins that identity key in a roster need
 * not trust the carrier. It attests no pending share, as the key may never be completed.
 *
 * @returns undefined when it holds no active share of the key
 */
export const attestKey = (
  state: Pick<SignerState, "history" | "config">,
  keyId: string,
  secrets: Secret<PartySecrets>,
): KeyAttestation | undefined => {
  const key = storedKey(state, keyId);
  if (key?.state !== "active") return undefined;
  const { identity } = secrets.reveal();
  const attested = {
    keyId,
    scheme: schemeForCallers(key.scheme),
    publicKey: bytesToHex(key.publicKey),
  };
  const signature = signEd25519(attestationBytes(attested), identity);
  return { signature, stated: stateKey(state, attested, key, identity) };
};

/** A signer that took no part in the key's generation, or has no record of it, attests nothing: it would have to guess. */
const stateKey = (
  { config }: Pick<SignerState, "config">,
  {
    keyId,
    scheme,
    publicKey,
  }: { readonly keyId: string; readonly scheme: KeyScheme; readonly publicKey: string },
  key: KeyRecord,
  identity: Uint8Array,
): SignedStatement | undefined => {
  const { made, imported } = key;
  if (made === undefined) return undefined;
  const holders = holdersOfKey(key);
  const statement = statementBytes({
    cluster: config.clusterId,
    signer: config.self,
    orgId: organisationIdSchema.parse(made.orgId),
    keyId: keyIdSchema.parse(keyId),
    origin: imported === true ? "imported" : "generated",
    threshold: holders.threshold,
    total: holders.parties.length,
    scheme,
    publicKey,
    date: made.date,
  });
  return { statement, signature: signEd25519(statement, identity) };
};
