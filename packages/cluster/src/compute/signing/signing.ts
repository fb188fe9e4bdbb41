import {
  decode,
  deliver,
  type Entropy,
  openSession,
  type PartyIndex,
  type Progress,
  presignatureCodec,
  presignatureId,
  type Signature,
  type Start,
  startSigning,
} from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { SessionKey } from "../../control/session-key.ts";
import { type Computed, type Host, keep } from "../host-state.ts";
import { outputOf, unfinished } from "../progress.ts";
import { configOf } from "../session-config.ts";
import { isObserved } from "./observed-digest.ts";
import type { PooledSigningTask, SigningTask } from "./task.ts";

export const openSigning = (
  host: Host,
  session: SessionKey,
  { digest }: SigningTask,
  entropy: Entropy,
): Computed => {
  const run = host.runs.get(session);
  if (run?.kind !== "presigned") throw new Error("the online round needs the session's own presignature");
  const { config, presignature, held } = run;
  const start: Start<Signature> = startSigning({ self: config.self, presignature, digest });
  let progress = openSession(config, start, entropy);
  const send = [...progress.send];
  for (const envelope of held) {
    progress = deliver(progress.session, envelope, entropy);
    send.push(...progress.send);
  }
  return settleSigning(host, session, { ...progress, send });
};

export const openPooledSigning = (
  host: Host,
  session: SessionKey,
  task: PooledSigningTask,
  entropy: Entropy,
): Computed => {
  const { signers, start } = startPooled(host.config.self, task);
  return settleSigning(host, session, openSession(configOf(host, session, signers), start, entropy));
};

/**
 * Starts the online round with a presignature of the pool, whose tombstone is durable. The digest is one that this
 * signer computed from what it read (P7).
 *
 * @throws when the bytes, which come from our own store, do not decode or are of another presignature, key or epoch
 * than the tombstone's; or when the caller chose the digest, which the state machine refuses before
 */
const startPooled = (
  self: PartyIndex,
  { id, presignature: bytes, key, digest }: PooledSigningTask,
): { readonly signers: readonly PartyIndex[]; readonly start: Start<Signature> } => {
  if (!isObserved(digest)) throw new Error("a presignature of the pool meets no digest that was chosen (P7)");
  const decoded = decode(presignatureCodec, bytes.take());
  if (!decoded.ok) throw new Error(`a stored presignature does not decode: ${decoded.reason}`);
  const presignature = decoded.value;
  if (bytesToHex(presignatureId(presignature.session)) !== id) {
    throw new Error("the stored presignature is another than its record says (INV-2)");
  }
  const start = startSigning({ self, presignature, digest: digest.bytes, key });
  return { signers: presignature.signers, start };
};

export const settleSigning = (host: Host, session: SessionKey, progress: Progress<Signature>): Computed => {
  const next = keep(host, session, { kind: "sign", session: progress.session });
  const open = unfinished("sign", progress);
  // each signer judges a partial signature by itself; ours, if not sent yet, does not go to a peer that cheated
  if (open?.kind === "fault") return { host: next, result: { ...open, send: [] } };
  if (open !== undefined) return { host: next, result: open };
  return {
    host: next,
    result: { kind: "signature", signature: outputOf(progress), send: progress.send },
  };
};
