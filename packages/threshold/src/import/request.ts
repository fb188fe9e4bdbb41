import type { PartyIndex } from "../fault.ts";
import type { SchemeName } from "../scheme.ts";
import {
  assignPositions,
  type EntriesRefusal,
  type ImportAssignment,
  type ImportEntry,
  type ImportSigner,
  matchEntries,
} from "./assignment.ts";
import { decodeBase64 } from "./base64.ts";
import { IMPORT_ENVELOPE_BYTES_MAX } from "./envelope.ts";

/** The body of an import request, with the field names of the wire (wire interface, C.6). */
export interface ImportRequest {
  readonly protocol: string;
  readonly curve: string;
  readonly minSigners: number;
  readonly encryptedKeyShares: readonly ImportEntry[];
}

/** The cluster that will hold the key at all its signers. */
interface ImportCluster {
  readonly signers: readonly ImportSigner[];
  /** t */
  readonly threshold: number;
}

/** A request that fits the cluster; its envelopes are not opened yet. */
interface ReadRequest {
  readonly scheme: SchemeName;
  readonly assignment: ImportAssignment;
  /** by party, ascending */
  readonly envelopes: ReadonlyMap<PartyIndex, Uint8Array>;
}

/** The reason why a request is refused before any envelope is opened; it blames the client. */
export type RequestRefusal =
  | EntriesRefusal
  | { readonly code: "ProtocolUnsupported"; readonly protocol: string; readonly curve: string }
  | { readonly code: "ThresholdMismatch"; readonly expected: number; readonly given: number }
  | { readonly code: "EnvelopeMalformed"; readonly party: PartyIndex };

/** A parsed request, or the reason why it is refused. */
type RequestReading =
  | { readonly ok: true; readonly request: ReadRequest }
  | { readonly ok: false; readonly refusal: RequestRefusal };

/**
 * The signature scheme of an imported key. Clients from before 2025 send CGGMP21 where later ones send
 * CGGMP24, with the same shares. FROST_BITCOIN is the protocol of Bitcoin's Taproot wallets, so such a key is
 * the internal key of a Taproot output; FROST_BIP340, whose keys sign untweaked, has no name on this wire.
 * Curve stark is not supported.
 *
 * @returns undefined for an unsupported pair
 */
export const importedScheme = (protocol: string, curve: string): SchemeName | undefined => {
  switch (`${protocol}/${curve}`) {
    case "CGGMP21/secp256k1":
    case "CGGMP24/secp256k1":
      return "CGGMP24";
    case "FROST/ed25519":
      return "FROST-Ed25519";
    case "FROST_BITCOIN/secp256k1":
      return "FROST-Taproot";
    default:
      return undefined;
  }
};

/**
 * Checks everything about an import that needs no decryption key (wire interface, C.7, point 1): protocol, curve, threshold,
 * and exactly one entry for every signer of the cluster.
 */
export const readImportRequest = (
  { protocol, curve, minSigners, encryptedKeyShares }: ImportRequest,
  { signers, threshold }: ImportCluster,
): RequestReading => {
  const refuse = (refusal: RequestRefusal): RequestReading => ({ ok: false, refusal });
  const scheme = importedScheme(protocol, curve);
  if (scheme === undefined) return refuse({ code: "ProtocolUnsupported", protocol, curve });
  if (minSigners !== threshold) {
    return refuse({ code: "ThresholdMismatch", expected: threshold, given: minSigners });
  }
  const matched = matchEntries(signers, encryptedKeyShares);
  if (!matched.ok) return refuse(matched.refusal);
  const envelopes = new Map<PartyIndex, Uint8Array>();
  for (const [party, { encryptedKeyShare }] of matched.entries) {
    const envelope = decodeBase64(encryptedKeyShare, IMPORT_ENVELOPE_BYTES_MAX);
    if (envelope === undefined) return refuse({ code: "EnvelopeMalformed", party });
    envelopes.set(party, envelope);
  }
  return { ok: true, request: { scheme, assignment: assignPositions(signers), envelopes } };
};
