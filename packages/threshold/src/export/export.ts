import { bytesToHex, numberToBytesBE } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type Curve, type GroupPoint, SCALAR_BYTES } from "../curve.ts";
import type { Entropy } from "../entropy.ts";
import { encodeBase64 } from "../import/base64.ts";
import { parseEncryptionKey } from "../import/encryption-key.ts";
import { sealImportEnvelope } from "../import/envelope.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import type { SchemeName } from "../scheme.ts";
import { Secret } from "../secret.ts";

/** A protocol and a curve, by their names on the wire. */
export interface WireScheme {
  readonly protocol: string;
  readonly curve: string;
}

/** The names of a scheme on the wire, the current one first. */
const wireSchemesOf = (scheme: SchemeName): readonly WireScheme[] => {
  switch (scheme) {
    case "CGGMP24":
      return [
        { protocol: "CGGMP24", curve: "secp256k1" },
        { protocol: "CGGMP21", curve: "secp256k1" },
      ];
    case "FROST-Ed25519":
      return [{ protocol: "FROST", curve: "ed25519" }];
    case "FROST-Taproot":
    // versions 0.1 and 0.2 made keys that sign untweaked; clients import the scalar of either kind
    case "FROST-BIP340":
      return [{ protocol: "FROST_BITCOIN", curve: "secp256k1" }];
  }
};

/**
 * The wire name under which a key of a scheme can be exported, among those that the client supports.
 *
 * @returns undefined when the client supports none of them
 */
export const exportedScheme = (
  scheme: SchemeName,
  supported: readonly WireScheme[],
): WireScheme | undefined =>
  wireSchemesOf(scheme).find(({ protocol, curve }) =>
    supported.some((offered) => offered.protocol === protocol && offered.curve === curve),
  );

const scalarText = <P extends GroupPoint<P>>({ name }: Curve<P>, scalar: bigint) => ({
  curve: name,
  scalar: bytesToHex(numberToBytesBE(scalar, SCALAR_BYTES)),
});

/** The configuration of sealExportedShare. */
interface ExportConfig<P extends GroupPoint<P>> {
  /** our own share; every signer seals its own, and no signer opens one (INV-1) */
  readonly share: KeyShare<P>;
  /** the client's encryption key, of 34 or 66 bytes; see parseEncryptionKey */
  readonly encryptionKey: Uint8Array;
  /** whether to include the chain code: clients from before 2025 do not know the field */
  readonly withChainCode: boolean;
}

/**
 * Seals our share for the client that exports a key (wire interface, C.8): the envelope format of imports,
 * with the index of the share. A client with t of these envelopes has the key, so the caller must first
 * verify that the request is authorised.
 *
 * @returns the envelope; undefined when the encryption key does not parse
 */
export const sealExportedShare = <P extends GroupPoint<P>>(
  { share: { info, self, secretShare }, encryptionKey, withChainCode }: ExportConfig<P>,
  entropy: Entropy,
): Uint8Array | undefined => {
  const receiver = parseEncryptionKey(encryptionKey);
  if (receiver === undefined) return undefined;
  const { curve } = info.scheme;
  const plaintext = {
    version: 1,
    index: scalarText(curve, BigInt(self)),
    secret_share: scalarText(curve, secretShare.reveal()),
    ...(withChainCode ? { chain_code: encodeBase64(info.chainCode) } : {}),
  };
  return sealImportEnvelope(new Secret(utf8ToBytes(JSON.stringify(plaintext))), receiver, entropy);
};
