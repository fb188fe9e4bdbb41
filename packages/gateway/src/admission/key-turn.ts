import type { KeyId } from "@conclave/custody";
import type { Connection } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { inTurn } from "./in-turn.ts";

/**
 * Runs a transaction in which a request of a key is judged. Requests of one key wait for each other here, without a
 * connection, rather than at the lock on the key's spending.
 * @throws Refused with TooManyAtOnce when too many requests of the key wait already, or too long
 */
export const transactionOfKey = <T>(
  { database, keyTurns }: Pick<Dependencies, "database" | "keyTurns">,
  keyId: KeyId,
  work: (connection: Connection) => Promise<T>,
): Promise<T> => inTurn(keyTurns, keyId, () => database.transaction(work));
