import { type AuthorisedExport, fail, ok, problem, type Result } from "@conclave/custody";
import { exportedScheme, parseEncryptionKey } from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import type { ComputeResult } from "../../compute/task.ts";
import type { Asked } from "../event.ts";
import { EXPORTS_PER_KEY_MAX } from "../limits.ts";
import { keepingKey, storedKey } from "../records/key-records.ts";
import type { KeyRecord } from "../records/record.ts";
import { authorisedExport } from "../session/authorise.ts";
import { newSession, openInHost, refuse, remembering, whyNotBegin } from "../session/begin.ts";
import { runKey } from "../session/run-id.ts";
import { holdersOfKey } from "../signing/signing-material.ts";
import {
  andThen,
  endWith,
  type OpenSession,
  type SignerState,
  type SignerStep,
  withSession,
} from "../state.ts";

type BeginExport = Asked<"key-export">;
type Exported = Extract<ComputeResult, { readonly kind: "exported" }>;

/**
 * Begins to export this signer's share of an active key, if its operator allows exports and the authority asks for this
 * key and this client. The export is recorded durably before anything is sealed; a repeated request is answered again,
 * for the same client alone.
 */
export const beginExport = (state: SignerState, event: BeginExport, nowMs: number): SignerStep => {
  const { config } = state;
  const { call, session: given, authorisation, lives, expiresAtMs } = event;
  const reason = whyNotBegin(state, event, nowMs);
  if (reason !== undefined) return refuse(state, call, reason);
  if (config.keyExport !== "allowed") return refuse(state, call, problem("KeyExportDisabled"));
  const authorised = authorisedExport(config, authorisation, nowMs);
  if (!authorised.ok) return refuse(state, call, authorised.problem);
  const { keyId, encryptionKey, withChainCode } = authorised.value.value;
  const marked = withExport(storedKey(state, keyId), authorised.value.value, nowMs);
  if (!marked.ok) return refuse(state, call, marked.problem);

  const key = marked.value;
  const { scheme, epoch, share } = key;
  const parties = [config.self];
  const agreed = [sha256(authorisation.payload)];
  const protocol = "key-export" as const;
  const runId = runKey(config, {
    given,
    expiresAtMs,
    protocol,
    keyId,
    scheme,
    epoch,
    parties,
    holders: holdersOfKey(key),
    agreed,
    lives,
  });
  if (!runId.ok) return refuse(state, call, runId.problem);
  const { run, attempt } = runId.value;
  const purpose = { protocol, keyId, epoch } as const;
  const session = newSession({ ...event, run, attempt, parties, purpose, stage: "export" });
  const { state: begun, write } = remembering(withSession(state, session), session, nowMs);
  const kept = keepingKey(begun, keyId, key);
  const recorded: SignerStep = {
    state: kept.state,
    effects: [{ kind: "batch", puts: [write, ...kept.puts], erases: kept.erases, sync: true }],
  };
  const task = {
    kind: "seal-export",
    scheme,
    key: share,
    encryptionKey: hexToBytes(encryptionKey),
    withChainCode,
  } as const;
  return andThen(recorded, (next) => openInHost(next, session, task));
};

/** The key with this export recorded; or the reason against the export. */
const withExport = (
  key: KeyRecord | undefined,
  { requestId, encryptionKey, protocol, curve }: AuthorisedExport,
  nowMs: number,
): Result<KeyRecord> => {
  if (key?.state !== "active") return fail("KeyUnknown");
  if (exportedScheme(key.scheme, [{ protocol, curve }]) === undefined) {
    return fail("KeyExportRefused", {}, `The key is not one of ${protocol} on ${curve}.`);
  }
  if (parseEncryptionKey(hexToBytes(encryptionKey)) === undefined) {
    return fail("InvalidBody", {}, "The encryption key is no point of secp256k1.");
  }
  const exports = key.exports ?? [];
  const before = exports.find((entry) => entry.requestId === requestId);
  if (before !== undefined && before.encryptionKey !== encryptionKey) {
    return fail("KeyExportRefused", {}, "The same request was answered for another encryption key.");
  }
  if (before !== undefined) return ok(key);
  if (exports.length >= EXPORTS_PER_KEY_MAX) {
    return fail("KeyExportRefused", {}, `A key is handed out for ${EXPORTS_PER_KEY_MAX} requests at most.`);
  }
  return ok({ ...key, exports: [...exports, { requestId, encryptionKey, exportedAtMs: nowMs }] });
};

/** Sends the sealed share. */
export const finishExport = (
  state: SignerState,
  session: OpenSession,
  { envelope, publicKey }: Exported,
): SignerStep => {
  const { purpose } = session;
  if (purpose.protocol !== "key-export") throw new Error("only an export seals a share for a client");
  const { keyId, epoch } = purpose;
  return endWith(state, session, { kind: "exported", keyId, epoch, envelope, publicKey });
};
