import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { assignPositions } from "../import/assignment.ts";
import { type ImportConfig, startImport } from "../import/import.ts";
import type { ImportOutcome } from "../import/run.ts";
import type { Scheme } from "../scheme.ts";
import { insecureDecryptionKey, testImportSigners } from "./insecure-import-client.ts";
import { type LockstepConfig, type LockstepOutcome, runLockstep } from "./lockstep.ts";
import { testSessionId } from "./session-network.ts";

/** An import of entries that a client sealed for the signers 1 … n. */
export interface TestImport<P extends GroupPoint<P>> {
  readonly scheme: Scheme<P>;
  readonly threshold: number;
  /** by party, ascending */
  readonly envelopes: ReadonlyMap<PartyIndex, Uint8Array>;
  readonly session?: string;
}

/** INSECURE: one party's configuration, with published decryption keys. */
export const importConfig = <P extends GroupPoint<P>>(
  { scheme, threshold, envelopes, session = "import" }: TestImport<P>,
  self: PartyIndex,
): ImportConfig<P> => {
  const parties = [...envelopes.keys()];
  return {
    session: testSessionId(session),
    self,
    parties,
    threshold,
    keyId: "imported",
    epoch: 1,
    scheme,
    assignment: assignPositions(testImportSigners(parties)),
    envelope: envelopes.get(self) ?? new Uint8Array(0),
    decryptionKey: insecureDecryptionKey(self),
  };
};

/** Runs an import in memory. */
export const runImport = <P extends GroupPoint<P>>(
  config: TestImport<P>,
  lockstep: Omit<LockstepConfig<ImportOutcome<P>>, "starts"> = {},
): ReadonlyMap<PartyIndex, LockstepOutcome<ImportOutcome<P>>> =>
  runLockstep({
    ...lockstep,
    starts: new Map(
      [...config.envelopes.keys()].map((self) => [self, startImport(importConfig(config, self))]),
    ),
  });
