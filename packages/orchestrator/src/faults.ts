import { isoNow, type World } from "@conclave/custody";
import { type Database, insertFault, type Logger } from "@conclave/platform";
import { type BlamedSigner, faultRecordOf } from "@conclave/platform/coordination";
import { faultNotStored, signerDeviated } from "./log/log-events.ts";

/**
 * Puts a proven deviation on record, with all that anybody needs to check it again (INV-7). A coordinator says of nothing
 * else that it is a fault: the verdict is verifyFault's. Signing does not wait for the record; when the database is away
 * the log still has it.
 */
export const recordFault =
  (database: Database, logger: Logger, world: World) =>
  async (blamed: BlamedSigner): Promise<void> => {
    const { reporter, session, verdict } = blamed;
    const { culprit, check, sentence } = verdict;
    signerDeviated(logger, { culprit, reporter, session, check, sentence });
    try {
      await insertFault(database, faultRecordOf(blamed, isoNow(world)));
    } catch (error) {
      faultNotStored(logger, { err: error, culprit, check });
    }
  };

/** The step of a protocol that a check belongs to, such as "presign/2": few enough for a metric's label. */
export const checkedStep = (check: string): string => /^([a-z]+\/\d|round)/.exec(check)?.[1] ?? "other";
