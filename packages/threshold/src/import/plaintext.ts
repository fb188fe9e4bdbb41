import { bytesToUtf8 } from "@noble/ciphers/utils.js";
import { bytesToNumberBE, equalBytes, hexToBytes } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type Curve, type GroupPoint, SCALAR_BYTES } from "../curve.ts";
import { Secret } from "../secret.ts";
import { decodeBase64 } from "./base64.ts";
import { parseForeignPoint } from "./foreign-point.ts";
import type { EntryField, EntryFlaw, EntryFlawCode } from "./refusal.ts";

/** The content of one signer's entry. */
export interface ImportedShare<P extends GroupPoint<P>> {
  /** f(position), not zero */
  readonly secretShare: Secret<bigint>;
  /** f(1)·G … f(n)·G, in the order of positions; none the identity */
  readonly publicShares: readonly P[];
  /** 32 bytes; undefined when the key has none */
  readonly chainCode: Uint8Array | undefined;
}

const CHAIN_CODE_BYTES = 32;
const VERSION = 1;
const HEX = /^(?:[0-9a-f]{2})+$/;
const FIELDS: ReadonlySet<string> = new Set(["version", "secret_share", "public_shares", "chain_code"]);

/** Thrown inside the parser; only parseImportPlaintext catches it. */
class Flawed extends Error {
  readonly flaw: EntryFlaw;

  constructor(flaw: EntryFlaw) {
    super(flaw.code);
    this.flaw = flaw;
  }
}

const refuse = (code: EntryFlawCode, field: EntryField): never => {
  throw new Flawed({ code, field });
};

type JsonObject = ReadonlyMap<string, unknown>;

const objectOf = (value: unknown): JsonObject | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? new Map<string, unknown>(Object.entries(value))
    : undefined;

/**
 * Parses the canonical text of a JSON object: compact, as clients serialise it. Serialising the result must
 * give the same bytes, which excludes duplicate keys, other forms of a number, and invalid UTF-8.
 */
const readJson = (bytes: Uint8Array): JsonObject => {
  try {
    const parsed: unknown = JSON.parse(bytesToUtf8(bytes));
    const object = objectOf(parsed);
    if (object !== undefined && equalBytes(utf8ToBytes(JSON.stringify(parsed)), bytes)) return object;
  } catch {
    // Dropped: the error of the JSON parser quotes its input, which is secret.
  }
  return refuse("Malformed", "encryptedKeyShare");
};

/**
 * Reads the hexadecimal text of a scalar or point: bare, or in an object with the name of its curve.
 *
 * @param name the key of the text in the object: "scalar" or "point"
 */
const readHex = (curve: { readonly name: string }, value: unknown, name: string, field: EntryField) => {
  const object = objectOf(value);
  if (object !== undefined) {
    const named = object.get("curve");
    if (typeof named !== "string" || object.size !== 2) return refuse("Malformed", field);
    if (named !== curve.name) return refuse("CurveMismatch", field);
  }
  const hex = object === undefined ? value : object.get(name);
  return typeof hex === "string" && HEX.test(hex) ? hexToBytes(hex) : refuse("Malformed", field);
};

const readScalar = <P extends GroupPoint<P>>(curve: Curve<P>, value: unknown): bigint => {
  const bytes = readHex(curve, value, "scalar", "secret_share");
  const scalar = bytes.length === SCALAR_BYTES ? bytesToNumberBE(bytes) : 0n;
  return scalar === 0n || scalar >= curve.order ? refuse("Malformed", "secret_share") : scalar;
};

const readPublicShares = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  count: number,
  value: unknown,
): readonly P[] => {
  if (!Array.isArray(value)) return refuse("Malformed", "public_shares");
  if (value.length !== count) return refuse("CountMismatch", "public_shares");
  return value.map(
    (item: unknown) =>
      parseForeignPoint(curve, readHex(curve, item, "point", "public_shares")) ??
      refuse("Malformed", "public_shares"),
  );
};

const readChainCode = (value: unknown): Uint8Array | undefined => {
  if (value === undefined || value === null) return undefined;
  const bytes = typeof value === "string" ? decodeBase64(value, CHAIN_CODE_BYTES) : undefined;
  return bytes?.length === CHAIN_CODE_BYTES ? bytes : refuse("Malformed", "chain_code");
};

const readShare = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  count: number,
  bytes: Uint8Array,
): ImportedShare<P> => {
  const object = readJson(bytes);
  if (object.get("version") !== VERSION) return refuse("VersionUnsupported", "version");
  if ([...object.keys()].some((name) => !FIELDS.has(name))) return refuse("Malformed", "encryptedKeyShare");
  return {
    secretShare: new Secret(readScalar(curve, object.get("secret_share"))),
    publicShares: readPublicShares(curve, count, object.get("public_shares")),
    chainCode: readChainCode(object.get("chain_code")),
  };
};

/** The content of an entry, or its flaw. */
export type ParsedShare<P extends GroupPoint<P>> =
  | { readonly ok: true; readonly share: ImportedShare<P> }
  | { readonly ok: false; readonly flaw: EntryFlaw };

/**
 * Parses the plaintext of one signer's envelope (wire interface, C.4): compact JSON of version 1, points compressed or not,
 * scalars and points with their curve or as bare hexadecimal text, with or without a chain code.
 *
 * @param count n, the number of signers of the cluster: there is one public share for each
 * @param plaintext its length is bounded by that of the envelope
 */
export const parseImportPlaintext = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  count: number,
  plaintext: Secret<Uint8Array>,
): ParsedShare<P> => {
  try {
    return { ok: true, share: readShare(curve, count, plaintext.reveal()) };
  } catch (error) {
    if (error instanceof Flawed) return { ok: false, flaw: error.flaw };
    throw error;
  }
};
