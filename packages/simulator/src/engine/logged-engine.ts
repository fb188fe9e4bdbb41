import type { ComputeResult, ComputeTask } from "@conclave/cluster";
import type { Engine } from "@conclave/cluster/testing";
import type { PartyIndex, Secret } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import { PRESIGNATURE_MADE, type SessionLog, type SessionWork } from "../watch/session-log.ts";

/**
 * An engine that writes down the sessions of its signer: their openings, the messages that it takes, and their ends.
 * @param keyIdOf the key of a share
 */
export const loggedEngine = (
  engine: Engine,
  self: PartyIndex,
  log: SessionLog,
  keyIdOf: (share: Secret<Uint8Array>) => string,
): Engine => ({
  compute: (session, task) => {
    const work = workOf(task, keyIdOf);
    if (work !== undefined) log.opened(self, session, work);
    if (task.kind === "deliver") log.heard(self, session, task.envelope.round, task.envelope.from);
    const result = engine.compute(session, task);
    const end = endOf(result);
    if (end !== undefined) log.ended(self, session, end);
    return result;
  },
  drop: (session) => engine.drop(session),
});

/** The work that a task opens; undefined where it opens none. */
const workOf = (
  task: ComputeTask,
  keyIdOf: (share: Secret<Uint8Array>) => string,
): SessionWork | undefined => {
  switch (task.kind) {
    case "open-auxiliary":
      return { kind: "auxiliary" };
    case "open-key":
    case "open-import":
      return { kind: "key", keyId: task.keyId };
    case "open-refresh":
    case "open-reshare":
      return { kind: "key change" };
    case "open-presigning":
      return { kind: "presigning", keyId: keyIdOf(task.key), isForPool: task.purpose === "pool" };
    case "open-signing":
      return { kind: "signing", digest: bytesToHex(task.digest) };
    case "open-pooled-signing":
      return { kind: "signing", digest: bytesToHex(task.digest.bytes) };
    case "open-frost":
      return { kind: "signing", digest: bytesToHex(task.message) };
    case "seal-export":
    case "export-presignature":
    case "deliver":
      return undefined;
  }
};

/** How a result ends a signer's part of a session; undefined where it goes on. */
const endOf = (result: ComputeResult): string | undefined => {
  switch (result.kind) {
    case "running":
    case "exported":
      return undefined;
    case "auxiliary":
    case "key":
      return "made";
    case "presignature":
      return PRESIGNATURE_MADE;
    case "key-changed":
    case "dealer-released":
      return "changed";
    case "presigned":
      return "presigned";
    case "signature":
    case "frost-signature":
      return "signed";
    case "import-refused":
      return "refused";
    case "fault":
      return `ended: signer-${result.fault.culprit} deviated (${result.fault.check})`;
    case "abort":
      return `ended: ${result.check}`;
  }
};
