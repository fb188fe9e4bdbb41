import type { DomainEvent } from "@conclave/custody";
import type { Connection } from "../database.ts";
import { recordEvents } from "../events.ts";

/** Movements that are stored in one statement before other work has its turn: anybody can make thousands in a block. */
const STORED_AT_ONCE = 200;

/** The number of stored records. */
export interface Stored {
  readonly records: number;
  /** those among them without an event */
  readonly unannounced: number;
}

/** The ways to store movements of one kind. */
interface Keeping<Movement, Row> {
  /** undefined for a movement that no record can hold */
  readonly rowOf: (movement: Movement) => Row | undefined;
  /** stores records, and returns those that were new */
  readonly insert: (connection: Connection, rows: readonly Row[]) => Promise<readonly Row[]>;
  readonly eventOf: (row: Row) => DomainEvent | undefined;
}

/** Stores movements and the events of those that are new and get one, some at a time. */
export const storeInTurns = async <Movement, Row extends { readonly isAnnounced: boolean }>(
  connection: Connection,
  movements: readonly Movement[],
  { rowOf, insert, eventOf }: Keeping<Movement, Row>,
): Promise<Stored> => {
  let [records, unannounced] = [0, 0];
  for (let from = 0; from < movements.length; from += STORED_AT_ONCE) {
    const rows = movements.slice(from, from + STORED_AT_ONCE).flatMap((each) => rowOf(each) ?? []);
    const fresh = await insert(connection, rows);
    const announced = fresh.filter(({ isAnnounced }) => isAnnounced);
    await recordEvents(
      connection,
      announced.flatMap((row) => eventOf(row) ?? []),
    );
    records += fresh.length;
    unannounced += fresh.length - announced.length;
  }
  return { records, unannounced };
};
