import { isoNow, type World } from "@conclave/custody";
import { type Database, insertFault, type Logger, type Roster } from "@conclave/platform";
import { type BlamedSigner, faultRecordOf } from "@conclave/platform/coordination";
import type { SessionIds } from "./log/numbered-sessions.ts";
import { faultNotStored } from "./log/session-events.ts";
import type { OrchestratorMetrics } from "./metrics.ts";

/** The database, log and metric that record faults, and the roster whose members they name. */
interface FaultPlaces {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Pick<OrchestratorMetrics, "signerDeviated">;
  readonly roster: Pick<Roster, "signers">;
  readonly world: World;
}

/**
 * Records a proven deviation, with all that anybody needs to verify it (INV-7). A coordinator reports nothing else as a
 * fault: the verdict is verifyFault's. Signing does not wait for the record; when the database is away, the log still
 * has it.
 */
export const recordFault =
  ({ database, logger, metrics, roster, world }: FaultPlaces) =>
  async (blamed: BlamedSigner, ids: SessionIds): Promise<void> => {
    const { reporter, verdict } = blamed;
    const { culprit, check, sentence } = verdict;
    const signer = roster.signers.find(({ index }) => index === culprit)?.id ?? `party-${culprit}`;
    metrics.signerDeviated(logger, { ...ids, signer, culprit, reporter, check, sentence });
    try {
      await insertFault(database, faultRecordOf(blamed, isoNow(world)));
    } catch (err) {
      faultNotStored(logger, { ...ids, err, culprit, check });
    }
  };
