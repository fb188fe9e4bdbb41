import type { ComputeResult, ComputeTask, SessionKey } from "@conclave/cluster";
import { type Engine, tinyEngine } from "@conclave/cluster/testing";
import type { PartyIndex, Secret } from "@conclave/threshold";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { DecodedShare } from "../check/inv-1.ts";
import type { MadePartial } from "../check/made-partial.ts";
import type { IdealKeys } from "./ideal-keys.ts";

const SESSION_BYTES = 32;

/** Tasks that open the run of a session; "open-signing" goes on with one that is open. */
const OPENING: readonly ComputeTask["kind"][] = [
  "open-auxiliary",
  "open-key",
  "open-import",
  "open-refresh",
  "open-reshare",
  "open-presigning",
  "open-pooled-signing",
  "open-frost",
];

/** Hears of what a signer computes. */
export interface EngineWatch {
  /** it took or made a share of a key */
  readonly decoded: (share: Pick<DecodedShare, "keyId" | "party" | "threshold">) => void;
  /** it opens the run of a session */
  readonly opened: (run: string) => void;
  /** it makes a partial signature */
  readonly partial: (made: Pick<MadePartial, "keyId" | "presignature" | "digest">) => void;
}

/** The key of a session, and the session that made its presignature. */
interface Signing {
  readonly keyId: string;
  readonly presignature: Uint8Array;
  readonly digest: Uint8Array;
}

/**
 * Computes sessions without cryptography: each protocol is one message to all (`tinyEngine`), and a signature is made by the whole key once
 * every signer of its session has agreed to the digest.
 * @param watch hears of shares and partial signatures as they are used and made
 */
export const idealEngine = (self: PartyIndex, keys: IdealKeys, watch: EngineWatch): Engine => {
  const inner = tinyEngine(self);
  const presigned = new Map<SessionKey, string>();
  const signings = new Map<SessionKey, Signing>();
  const sign = (session: SessionKey, signing: Signing): void => {
    const { keyId, presignature, digest } = signing;
    watch.partial({ keyId, presignature: bytesToHex(presignature), digest: bytesToHex(digest) });
    signings.set(session, signing);
  };
  const note = (session: SessionKey, task: ComputeTask): void => {
    if (task.kind === "open-presigning") {
      presigned.set(session, keys.noteShare(task.key.reveal()).keyId);
    } else if (task.kind === "open-signing") {
      const keyId = presigned.get(session) ?? "";
      sign(session, { keyId, presignature: hexToBytes(session), digest: task.digest });
    } else if (task.kind === "open-pooled-signing") {
      const presignature = task.presignature.reveal().slice(0, SESSION_BYTES);
      sign(session, { keyId: task.key.keyId, presignature, digest: task.digest.bytes });
    }
  };
  return {
    compute: (session, task) => {
      if (OPENING.includes(task.kind)) watch.opened(session);
      note(session, task);
      const result = inner.compute(session, task);
      for (const share of [shareOf(task), madeShareOf(result)])
        if (share !== undefined) watch.decoded(keys.noteShare(share.reveal()));
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

/** The share of a key that a task carries. */
const shareOf = (task: ComputeTask): Secret<Uint8Array> | undefined => {
  switch (task.kind) {
    case "open-presigning":
    case "open-refresh":
    case "open-reshare":
    case "open-frost":
    case "seal-export":
      return task.key;
    case "open-auxiliary":
    case "open-key":
    case "open-import":
    case "open-signing":
    case "open-pooled-signing":
    case "export-presignature":
    case "deliver":
      return undefined;
  }
};

/** The share of a key that a result makes. */
const madeShareOf = (result: ComputeResult): Secret<Uint8Array> | undefined =>
  result.kind === "key" || result.kind === "key-changed" ? result.share : undefined;
