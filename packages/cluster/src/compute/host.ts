import { deliver, type Entropy, type Envelope, resume } from "@conclave/threshold";
import type { SessionKey } from "../control/session-key.ts";
import { openAuxiliary, settleAuxiliary } from "./auxiliary/auxiliary.ts";
import { verdictsOf } from "./checks.ts";
import type { ChecksPlace, Computed, Host } from "./host-state.ts";
import { openKeyChange, settleKeyChange } from "./key-change/key-change.ts";
import { sealExport } from "./key-export/key-export.ts";
import { openKeyGeneration, settleKeyGeneration } from "./key-generation/key-generation.ts";
import { openKeyImport, settleKeyImport } from "./key-import/key-import.ts";
import {
  deliverToPresigning,
  openPresigning,
  settlePresigning,
  surrenderPresignature,
} from "./presigning/presigning.ts";
import { openFrost, settleFrost } from "./signing/frost.ts";
import { openPooledSigning, openSigning, settleSigning } from "./signing/signing.ts";
import type { ComputeTask, HostConfig } from "./task.ts";

/** @param checks other than "here" when the caller does the checks that `takeJobs` gives, and answers with `resumeWith` */
export const openHost = (config: HostConfig, checks: ChecksPlace = "here"): Host => ({
  config,
  checks,
  away: new Map(),
  runs: new Map(),
  keys: new Map(),
  frostKeys: new Map(),
  auxiliaries: new Map(),
  masks: undefined,
  poolMasks: undefined,
});

/**
 * Does one task of a session.
 *
 * @param session the session's id in hex
 * @param entropy for the protocol's secrets
 * @throws when the state machine breaks the order of tasks (opening a session twice, signing before presigning) or hands in
 *   stored bytes that do not decode: never because of anything a peer sent
 */
export const compute = (host: Host, session: SessionKey, task: ComputeTask, entropy: Entropy): Computed => {
  switch (task.kind) {
    case "open-auxiliary":
      return openAuxiliary(host, session, task, entropy);
    case "open-key":
      return openKeyGeneration(host, session, task, entropy);
    case "open-import":
      return openKeyImport(host, session, task, entropy);
    case "seal-export":
      return { host, result: sealExport(task, entropy) };
    case "open-refresh":
    case "open-reshare":
      return openKeyChange(host, session, task, entropy);
    case "open-presigning":
      return openPresigning(host, session, task, entropy);
    case "open-signing":
      return openSigning(host, session, task, entropy);
    case "export-presignature":
      return surrenderPresignature(host, session);
    case "open-pooled-signing":
      return openPooledSigning(host, session, task, entropy);
    case "open-frost":
      return openFrost(host, session, task, entropy);
    case "deliver":
      return deliverTo(host, session, task.envelope, entropy);
  }
};

const deliverTo = (host: Host, session: SessionKey, envelope: Envelope, entropy: Entropy): Computed => {
  const run = host.runs.get(session);
  if (run === undefined) return { host, result: { kind: "abort", check: "the session is not open" } };
  switch (run.kind) {
    case "auxiliary":
      return settleAuxiliary(host, session, deliver(run.session, envelope, entropy));
    case "keygen":
      return settleKeyGeneration(host, session, deliver(run.session, envelope, entropy));
    case "import":
      return settleKeyImport(host, session, deliver(run.session, envelope, entropy));
    case "key-change":
      return settleKeyChange(host, session, deliver(run.session, envelope, entropy));
    case "presign":
    case "presigned":
      return deliverToPresigning(host, session, run, envelope, entropy);
    case "sign":
      return settleSigning(host, session, deliver(run.session, envelope, entropy));
    case "frost":
      return settleFrost(host, session, deliver(run.session, envelope, entropy));
  }
};

/**
 * Continues a session whose checks were handed out, and gives the next result of the task that was interrupted.
 *
 * @param verdicts in the order of the jobs
 * @throws when the session has handed out no checks, or others: never because of anything a peer sent
 */
export const resumeWith = (
  host: Host,
  session: SessionKey,
  verdicts: readonly Uint8Array[],
  entropy: Entropy,
): Computed => {
  const run = host.runs.get(session);
  const given = verdictsOf(host, session, verdicts);
  if (run?.kind === "presign") {
    return settlePresigning(host, session, resume(run.session, given, entropy), run.held);
  }
  if (run?.kind === "auxiliary") return settleAuxiliary(host, session, resume(run.session, given, entropy));
  throw new Error("only presigning and auxiliary generation hand out checks");
};
