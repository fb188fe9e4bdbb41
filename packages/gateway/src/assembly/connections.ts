import {
  type Bus,
  type Database,
  DatabaseClock,
  databaseConnectionBroke,
  recordUnreadable,
} from "@conclave/platform";
import type { OpenedParts } from "./opened-parts.ts";
import type { GatewayParts } from "./parts.ts";

/** The services that a gateway writes to. */
export interface Connections {
  /** the pool itself; loops do not queue for a turn */
  readonly database: Database;
  readonly bus: Bus;
  /** measured once, at the start; the clock watch measures it again */
  readonly databaseClock: DatabaseClock;
}

/** Opens the database and has it made ready, and connects to the bus; waits until both are reachable. */
export const openConnections = async (
  { world, logger, metrics, ...parts }: GatewayParts,
  opened: OpenedParts,
): Promise<Connections> => {
  let bus: Bus | undefined;
  const unreadable = recordUnreadable(metrics);
  const database = parts.openDatabase({
    announce: (subject) => bus?.signal(subject),
    onBreak: (err) => databaseConnectionBroke(logger, { err }),
    onUnreadable: (report) => unreadable(logger, report),
  });
  opened.add(() => database.close());
  await parts.prepareDatabase(database);
  const databaseClock = new DatabaseClock(world);
  await databaseClock.measure(database);
  const connected = await parts.connectBus();
  opened.add(() => connected.close());
  bus = connected;
  return { database, bus, databaseClock };
};
