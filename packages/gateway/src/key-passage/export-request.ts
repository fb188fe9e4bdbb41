import { type AuthorisedExport, fail, ok, type Result } from "@conclave/custody";
import {
  decodeBase64,
  exportedScheme,
  parseEncryptionKey,
  type SchemeName,
  taprootOutputKey,
  type WireScheme,
} from "@conclave/threshold";

const ENCRYPTION_KEY_BYTES_MAX = 66;

/** A body of POST /keys/{id}/export or /wallets/{id}/export. */
interface ExportRequest {
  /** standard base64 of 34 or 66 bytes */
  readonly encryptionKey: string;
  /** the schemes that the client supports */
  readonly supportedSchemes: readonly WireScheme[];
}

/** The signed fields: those of AuthorisedExport. */
export type ExportTerms = Pick<AuthorisedExport, "protocol" | "curve" | "encryptionKey" | "withChainCode">;

/** The protocol names that clients know; an export's answer uses one of them. */
const WORDS = [
  { protocol: "CGGMP24", curve: "secp256k1" },
  { protocol: "CGGMP21", curve: "secp256k1" },
  { protocol: "FROST", curve: "ed25519" },
  { protocol: "FROST_BITCOIN", curve: "secp256k1" },
] as const;

/**
 * Checks a client's export against the key's scheme (wire interface, C.8). Clients that know the current name CGGMP24
 * get the chain code with the shares; older ones do not know that field either.
 *
 * @returns the fields to authorise; refusal KeyExportRefused when the client supports no scheme of the key, or
 * InvalidBody when its encryption key is invalid
 */
export const readExport = (
  scheme: SchemeName,
  { encryptionKey, supportedSchemes }: ExportRequest,
): Result<ExportTerms> => {
  const bytes = decodeBase64(encryptionKey, ENCRYPTION_KEY_BYTES_MAX);
  if (bytes === undefined || parseEncryptionKey(bytes) === undefined) {
    const issue = { field: "encryptionKey", code: "EncryptionKeyMalformed" };
    return fail("InvalidBody", { issues: [issue] }, "The encryption key is no point of secp256k1.");
  }
  const named = exportedScheme(scheme, supportedSchemes);
  const words = WORDS.find(({ protocol, curve }) => protocol === named?.protocol && curve === named.curve);
  if (words === undefined) {
    const issue = { field: "supportedSchemes", code: "SchemeUnsupported" };
    return fail("KeyExportRefused", { issues: [issue] }, "The client takes no scheme that the key has.");
  }
  const withChainCode = supportedSchemes.some(({ protocol }) => protocol === "CGGMP24");
  return ok({ ...words, encryptionKey: Buffer.from(bytes).toString("hex"), withChainCode });
};

/**
 * Whether the point whose shares were exported, according to an orchestrator, belongs to the key that the signers
 * attested. The client checks the combined key against this point.
 *
 * @param point hex: compressed, or 32 bytes of Ed25519
 * @param publicKey from the key's row: BIP-340 keys without the sign of y, Taproot keys tweaked without a script tree
 */
export const isPointOfKey = (scheme: SchemeName, point: string, publicKey: string): boolean => {
  switch (scheme) {
    case "CGGMP24":
    case "FROST-Ed25519":
      return point === publicKey;
    case "FROST-BIP340":
      return point.slice(2) === publicKey;
    case "FROST-Taproot": {
      const outputKey = taprootOutputKey(new Uint8Array(Buffer.from(point, "hex")));
      return outputKey !== undefined && Buffer.from(outputKey).toString("hex") === publicKey;
    }
  }
};
