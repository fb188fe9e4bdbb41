import { isLife, type SessionReport } from "@conclave/cluster";
import {
  type ErrorCode,
  isErrorCode,
  type Problem,
  problem,
  type SchemeSignature,
  SIGNABLES_PER_SESSION_MAX,
} from "@conclave/custody";
import {
  decode,
  EVIDENCE_BYTES_MAX,
  type Evidence,
  encode,
  evidenceCodec,
  type ImportRefusal,
  importRefusalCodec,
  type PartyIndex,
  partyIndex,
} from "@conclave/threshold";
import type {
  Fault__Output,
  ImportRefused__Output,
  Refusal__Output,
  Report__Output,
  Signature__Output,
  Refusal as WireRefusal,
  Report as WireReport,
  Signature as WireSignature,
} from "./generated/proto.gen.ts";

/** The reports on a session's stream; questions about keys and the pool have their own calls. */
export type StreamReport = Exclude<
  SessionReport,
  { readonly kind: "key-state" | "presignatures-discarded" | "switched" | "epoch-discarded" }
>;

const SCALAR_BYTES = 32;
const FROST_SIGNATURE_BYTES = 64;
const TEXT_CHARACTERS_MAX = 2_000;
/**
 * The sentence by which signers refuse an authorisation of an unknown form. An older signer does not know every field
 * that a newer gateway signs: the request then waits until the signer is upgraded, and does not fail (INV-5).
 */
const AUTHORISATION_UNREAD = "The authorisation is of another kind or version.";
const REFUSALS_MAX = 128; // of 64 shares, and of refusals that concern all shares

const scalarBytes = (value: bigint): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * SCALAR_BYTES, "0"), "hex");
const scalar = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

const signatureBytes = (signature: SchemeSignature): WireSignature => {
  if (signature.scheme !== "CGGMP24") return signature;
  const { scheme, r, s, recovery } = signature;
  return { scheme, bytes: Buffer.concat([scalarBytes(r), scalarBytes(s), Buffer.of(recovery)]) };
};

const refusalBytes = (refusal: ImportRefusal): Uint8Array => encode(importRefusalCodec, refusal);

/** Three details are sent: the quarantined peer, the signer's clock if it refused a deadline, and its life. */
const refusalOf = ({ code, message, details }: Problem): WireRefusal => {
  const { culprit, clockMs, life } = details;
  return {
    code,
    message,
    life: Buffer.from(typeof life === "string" ? life : "", "hex"),
    culprit: typeof culprit === "number" ? culprit : 0,
    clockMs: typeof clockMs === "number" ? clockMs : 0,
  };
};

/** A report as it is sent to the caller. */
export const toReport = (report: StreamReport): WireReport => {
  switch (report.kind) {
    case "progress":
      return { progress: { stage: report.stage, ...report.key } };
    case "auxiliary":
      return { auxiliaryDone: { ...report, fromEpoch: report.from } };
    case "key":
      return { keyDone: report };
    case "key-changed":
      return { keyChangeDone: { ...report, fromEpoch: report.from } };
    case "import-refused":
      return { importRefused: { refusals: report.refusals.map(refusalBytes) } };
    case "exported":
      return { exportDone: { ...report, encryptedShare: report.envelope } };
    case "presigned":
      return { presignDone: report };
    case "signed":
      return { signed: { signatures: report.signatures.map(signatureBytes) } };
    case "refusal":
      return { refusal: refusalOf(report.problem) };
    case "fault": {
      const { accused: culprit, check } = report.evidence;
      return { fault: { culprit, check, evidence: [encode(evidenceCodec, report.evidence)] } };
    }
    case "failure":
      return { failure: report };
  }
};

const parties = (indices: readonly number[]): readonly PartyIndex[] =>
  indices.map(partyIndex).filter((index) => index !== undefined);

const FROST_SCHEMES = ["FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"] as const;

const parseSignature = ({ scheme, bytes }: Signature__Output): SchemeSignature | undefined => {
  if (scheme === "CGGMP24") {
    const recovery = bytes[2 * SCALAR_BYTES];
    if (bytes.length !== 2 * SCALAR_BYTES + 1 || (recovery !== 0 && recovery !== 1)) return undefined;
    const r = scalar(bytes.subarray(0, SCALAR_BYTES));
    const s = scalar(bytes.subarray(SCALAR_BYTES, 2 * SCALAR_BYTES));
    return { scheme, r, s, recovery };
  }
  const frost = FROST_SCHEMES.find((known) => known === scheme);
  return frost !== undefined && bytes.length === FROST_SIGNATURE_BYTES ? { scheme: frost, bytes } : undefined;
};

const parseSignatures = (signatures: readonly Signature__Output[]): StreamReport | undefined => {
  if (signatures.length > SIGNABLES_PER_SESSION_MAX) return undefined;
  const parsed = signatures.flatMap((each) => parseSignature(each) ?? []);
  return parsed.length === signatures.length ? { kind: "signed", signatures: parsed } : undefined;
};

const parseImportRefused = ({ refusals }: ImportRefused__Output): StreamReport | undefined => {
  const items: ImportRefusal[] = [];
  for (const bytes of refusals.slice(0, REFUSALS_MAX)) {
    const item = decode(importRefusalCodec, bytes);
    if (!item.ok) return undefined;
    items.push(item.value);
  }
  return { kind: "import-refused", refusals: items };
};

/** The evidence of a fault. Version 0.2 sent signed messages one by one; they prove nothing, and count as no fault. */
const parseFault = ({ culprit, check, evidence }: Fault__Output): Evidence | undefined => {
  const [bytes, ...more] = evidence;
  if (bytes === undefined || more.length > 0 || bytes.length > EVIDENCE_BYTES_MAX) return undefined;
  const decoded = decode(evidenceCodec, bytes);
  if (!decoded.ok) return undefined;
  const isSame = decoded.value.accused === culprit && decoded.value.check === check;
  return isSame ? decoded.value : undefined;
};

const codeOf = ({ code, message }: { readonly code: string; readonly message: string }): ErrorCode => {
  if (code === "AuthorisationInvalid" && message === AUTHORISATION_UNREAD) return "SignerOlder";
  return isErrorCode(code) ? code : "Internal";
};

const parseRefusal = (refusal: Refusal__Output): StreamReport => {
  const { clockMs, life, message } = refusal;
  const culprit = partyIndex(refusal.culprit);
  const details = {
    ...(culprit !== undefined && { culprit }),
    ...(clockMs > 0 && { clockMs }),
    ...(isLife(life) && { life: life.toString("hex") }),
  };
  return {
    kind: "refusal",
    problem: problem(codeOf(refusal), details, message.slice(0, TEXT_CHARACTERS_MAX)),
  };
};

/** A received report; undefined if it is malformed, as from a signer of another version or a lying one. */
export const fromReport = (event: Report__Output): StreamReport | undefined => {
  switch (event.report) {
    case "progress": {
      const { stage, keyId, epoch } = event.progress;
      const key = keyId === "" ? {} : { key: { keyId: keyId.slice(0, TEXT_CHARACTERS_MAX), epoch } };
      return { kind: "progress", stage: stage.slice(0, TEXT_CHARACTERS_MAX), ...key };
    }
    case "auxiliaryDone": {
      const { fromEpoch: from, ...done } = event.auxiliaryDone;
      return { kind: "auxiliary", from, ...done };
    }
    case "keyDone":
      return { kind: "key", ...event.keyDone };
    case "signed":
      return parseSignatures(event.signed.signatures);
    case "keyChangeDone": {
      const { fromEpoch: from, ...done } = event.keyChangeDone;
      return { kind: "key-changed", from, ...done };
    }
    case "importRefused":
      return parseImportRefused(event.importRefused);
    case "exportDone": {
      const { encryptedShare: envelope, ...done } = event.exportDone;
      return { kind: "exported", envelope, ...done };
    }
    case "presignDone":
      return { kind: "presigned", ...event.presignDone };
    case "refusal":
      return parseRefusal(event.refusal);
    case "fault": {
      const evidence = parseFault(event.fault);
      return evidence && { kind: "fault", evidence };
    }
    case "failure": {
      const { reason, silent, phase } = event.failure;
      const how = { reason: reason.slice(0, TEXT_CHARACTERS_MAX), silent: parties(silent) };
      return { kind: "failure", ...how, ...(phase === 0 ? {} : { phase }) };
    }
    case undefined:
      return undefined;
  }
};
