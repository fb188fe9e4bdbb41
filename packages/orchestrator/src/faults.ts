import { type Database, insertFault, type Logger } from "@conclave/platform";
import type { BlamedSigner } from "@conclave/platform/coordination";
import { encode, evidenceCodec } from "@conclave/threshold";

/**
 * Puts a proved deviation on record (INV-7): who, what was checked, and the signed messages that show it. Signing
 * does not wait for it; when the database is away the log still has it.
 */
export const recordFault =
  (database: Database, logger: Logger) =>
  ({ reporter, session, evidence, verdict }: BlamedSigner): void => {
    const { culprit, check, sentence } = verdict;
    logger.error({ culprit, reporter, session, check, sentence }, "a signer deviated from the protocol");
    insertFault(database, {
      culprit,
      reporter,
      sessionId: Buffer.from(session, "hex"),
      checkName: check,
      evidence: [Buffer.from(encode(evidenceCodec, evidence)).toString("hex")],
      date: new Date().toISOString(),
    }).catch((error: unknown) => logger.error({ err: error, culprit, check }, "a fault is not stored"));
  };
