import {
  type CallId,
  type ComputeTask,
  type SessionKey,
  type SessionReport,
  type SignerPorts,
  type StoreRolledBack,
  spendingCountBytes,
} from "@conclave/cluster";
import { reach } from "@conclave/platform/fault-points";
import type { Logger } from "@conclave/platform/logger";
import type { BegunSessions, SessionNames } from "../begun-sessions.ts";
import type { Control } from "../control.ts";
import {
  commandRefused,
  peerDeviated,
  presignatureAskedAgain,
  sessionFailed,
  signingReleased,
  storeRolledBack,
} from "../log-events.ts";
import type { SignerParts } from "./parts.ts";

/** Logs an alarm of the store with the signed count that shows it. */
export const loggedAlarm =
  ({ id, machine, log }: Pick<SignerParts, "id" | "machine" | "log">): SignerPorts["alarm"] =>
  ({ shownBy, held, signed }: StoreRolledBack) => {
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
    storeRolledBack(id)(log, {
      shownBy,
      held,
      signed: {
        clusterId: machine.clusterId,
        signer: machine.self,
        count: signed.count,
        signature: hex(signed.signature),
        bytes: hex(spendingCountBytes(machine.clusterId, machine.self, signed.count)),
      },
    });
  };

/** Logs what a report says, and hands it to its caller. */
export const loggedReport =
  (log: Logger, control: Control, begun: BegunSessions): SignerPorts["report"] =>
  (call, said) => {
    FAULT: if (said.kind === "presigned") reach("presignature.made");
    logReport(log, said, () => begun.namesOf(call));
    if (said.kind !== "progress") begun.end(call);
    control.report(call, said);
  };

/** Log lines for operators; never a payload, and nothing of a session that went well but its release. */
const logReport = (log: Logger, report: SessionReport, names: () => SessionNames): void => {
  if (report.kind === "fault") {
    const { accused: culprit, check } = report.evidence;
    peerDeviated(log, { ...names(), culprit, check });
  }
  if (report.kind === "failure") {
    const { reason, silent } = report;
    sessionFailed(log, { ...names(), reason, silent });
  }
  if (report.kind === "refusal") {
    const { code, message } = report.problem;
    if (code === "PresignatureReused") presignatureAskedAgain(log, { ...names(), code, message });
    else commandRefused(log, { ...names(), code });
  }
};

/** Logs the first task of a session that makes a partial signature: all that it spends is durable by then (INV-2). */
export const loggedRelease =
  (log: Logger, begun: BegunSessions, callOf: (run: SessionKey) => CallId | undefined) =>
  (run: SessionKey, task: ComputeTask): void => {
    if (!makesPartialSignature(task)) return;
    const call = callOf(run);
    const names = call === undefined ? undefined : begun.release(call);
    if (names !== undefined) signingReleased(log, names);
  };

const makesPartialSignature = ({ kind }: ComputeTask): boolean =>
  kind === "open-signing" || kind === "open-pooled-signing" || kind === "open-frost";
