import {
  type Entropy,
  type GroupPoint,
  importDecryptionKeyOf,
  mapOutput,
  openSession,
  type Progress,
  type Scheme,
  type SessionConfig,
  type Start,
  startImport,
  withScheme,
} from "@conclave/threshold";
import type { SessionKey } from "../../control/session-key.ts";
import { type Computed, type Host, keep } from "../host-state.ts";
import { madeKey } from "../key-generation/made-key.ts";
import { outputOf, unfinished } from "../progress.ts";
import { configOf } from "../session-config.ts";
import type { ImportEnd, KeyImportTask } from "./task.ts";

export const openKeyImport = (
  host: Host,
  session: SessionKey,
  task: KeyImportTask,
  entropy: Entropy,
): Computed => {
  const config = configOf(host, session, task.parties);
  return settleKeyImport(host, session, openSession(config, startKeyImport(config, task), entropy));
};

/** @throws RangeError when the configuration is unfit: a bug of ours */
const startKeyImport = (
  { session, self, secrets }: SessionConfig,
  { scheme: name, parties, keyId, threshold, epoch, places, envelope }: KeyImportTask,
): Start<ImportEnd> =>
  withScheme(name, <P extends GroupPoint<P>>(scheme: Scheme<P>) => {
    const assignment = new Map(parties.map((party, at) => [party, places[at] ?? 0]));
    const decryptionKey = importDecryptionKeyOf(secrets);
    const run = { session, self, parties, keyId, threshold, epoch, decryptionKey };
    return mapOutput(
      startImport<P>({ ...run, scheme, assignment, envelope }),
      (outcome): ImportEnd =>
        outcome.kind === "refused"
          ? { kind: "import-refused", refusals: outcome.refusals }
          : { kind: "key", ...madeKey(scheme, outcome.share) },
    );
  });

export const settleKeyImport = (host: Host, session: SessionKey, progress: Progress<ImportEnd>): Computed => {
  const next = keep(host, session, { kind: "import", session: progress.session });
  const open = unfinished("import", progress);
  if (open !== undefined) return { host: next, result: open };
  return { host: next, result: { ...outputOf(progress), send: progress.send } };
};
