import type { ComputeTask, SessionKey } from "@conclave/cluster";
import { type Engine, tinyEngine } from "@conclave/cluster/testing";
import type { PartyIndex } from "@conclave/threshold";
import { hexToBytes } from "@noble/hashes/utils.js";
import type { IdealKeys } from "./ideal-keys.ts";

const SESSION_BYTES = 32;

/** The key of a session, and the session that made its presignature. */
interface Signing {
  readonly keyId: string;
  readonly presignature: Uint8Array;
  readonly digest: Uint8Array;
}

/**
 * Computes sessions without cryptography: each protocol is one message to all (`tinyEngine`), and a signature is made by the whole key once
 * every signer of its session has agreed to the digest.
 */
export const idealEngine = (self: PartyIndex, keys: IdealKeys): Engine => {
  const inner = tinyEngine(self);
  const presigned = new Map<SessionKey, string>();
  const signings = new Map<SessionKey, Signing>();
  const note = (session: SessionKey, task: ComputeTask): void => {
    if (task.kind === "open-presigning") {
      presigned.set(session, keys.noteShare(task.key.reveal()));
    } else if (task.kind === "open-signing") {
      const keyId = presigned.get(session) ?? "";
      signings.set(session, { keyId, presignature: hexToBytes(session), digest: task.digest });
    } else if (task.kind === "open-pooled-signing") {
      const presignature = task.presignature.reveal().slice(0, SESSION_BYTES);
      signings.set(session, { keyId: task.key.keyId, presignature, digest: task.digest.bytes });
    }
  };
  return {
    compute: (session, task) => {
      note(session, task);
      const result = inner.compute(session, task);
      const signing = signings.get(session);
      if (result.kind !== "signature" || signing === undefined) return result;
      const signature = keys.sign(signing.keyId, signing.presignature, signing.digest);
      return { ...result, signature };
    },
    drop: (session) => {
      presigned.delete(session);
      signings.delete(session);
      inner.drop(session);
    },
  };
};
