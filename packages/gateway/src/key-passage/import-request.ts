import { createHash } from "node:crypto";
import { type AuthorisedImport, fail, ok, type Result } from "@conclave/custody";
import { importSigners, type Roster } from "@conclave/platform";
import {
  encodeBase64,
  type ImportRequest,
  type PartyIndex,
  type RequestRefusal,
  readImportRequest,
} from "@conclave/threshold";

/** The clients' terms that are supported, and their schemes; others, such as stark, are not. */
const TERMS = [
  { scheme: "ECDSA", protocol: "CGGMP24", curve: "secp256k1" },
  { scheme: "ECDSA", protocol: "CGGMP21", curve: "secp256k1" },
  { scheme: "FROST-Ed25519", protocol: "FROST", curve: "ed25519" },
  { scheme: "FROST-Taproot", protocol: "FROST_BITCOIN", curve: "secp256k1" },
] as const;

/** A valid body of POST /keys/import or /wallets/import; only signers can decrypt the envelopes. */
export interface ReadImport {
  /** the signed fields: those of AuthorisedImport */
  readonly terms: (typeof TERMS)[number] & Pick<AuthorisedImport, "threshold" | "shares">;
  /** for the orchestrator: the encrypted share for every signer, by its index, ascending */
  readonly envelopes: ReadonlyMap<PartyIndex, Uint8Array>;
}

const NO_ENVELOPE = new Uint8Array(0);

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The wrong field of the body, as the wire names it. */
const issueOf = (
  refusal: RequestRefusal,
  signerIdOf: (party: PartyIndex) => string | undefined,
): Readonly<Record<string, unknown>> => {
  switch (refusal.code) {
    case "ProtocolUnsupported":
      return {
        field: "protocol",
        served: TERMS.map(({ protocol, curve }) => ({ protocol, curve })),
        ...refusal,
      };
    case "ThresholdMismatch":
      return { field: "minSigners", ...refusal };
    case "SignerIdMalformed":
    case "SignerUnknown":
    case "SignerRepeated":
      return { field: "signerId", ...refusal };
    case "SignerMissing":
    case "EnvelopeMalformed": {
      const field = refusal.code === "SignerMissing" ? "encryptedKeyShares" : "encryptedKeyShare";
      return { field, code: refusal.code, signerId: signerIdOf(refusal.party) };
    }
  }
};

/**
 * Checks everything about a client's import that can be checked without a decryption key (wire interface, C.6 and C.7):
 * protocol and curve, the threshold, and exactly one encrypted share for every signer of the cluster.
 *
 * @returns the fields to authorise, and the envelopes to pass on; refusal KeyImportUnavailable when the roster has no
 * import keys, or KeyImportRefused, whose details.issues name field, code and signer
 */
export const readImport = (
  roster: Pick<Roster, "signers" | "threshold" | "change">,
  body: ImportRequest,
): Result<ReadImport> => {
  const signers = importSigners(roster);
  if (signers === undefined) return fail("KeyImportUnavailable");
  const { threshold } = roster;
  const signerIdOf = (party: PartyIndex): string =>
    encodeBase64(signers.find((signer) => signer.party === party)?.signerId ?? new Uint8Array(0));
  const reading = readImportRequest(body, { signers, threshold });
  if (!reading.ok) return fail("KeyImportRefused", { issues: [issueOf(reading.refusal, signerIdOf)] });
  const words = TERMS.find(({ protocol, curve }) => protocol === body.protocol && curve === body.curve);
  if (words === undefined) throw new Error("a protocol is served whose words are not known");
  const { assignment, envelopes } = reading.request;
  const inOrder = [...assignment].sort(([, a], [, b]) => a - b);
  const shares = inOrder.map(([party]) => ({
    signerId: signerIdOf(party),
    digest: sha256(envelopes.get(party) ?? NO_ENVELOPE),
  }));
  return ok({ terms: { ...words, threshold, shares }, envelopes });
};
