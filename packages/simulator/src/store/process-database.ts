import { type Connection, type Database, Outage } from "@conclave/platform";
import type { MemoryProcess, ProcessStore } from "@conclave/platform/testing";
import { LostOnTheWay, type ServerLink } from "../link/server-link.ts";
import type { ProcessWorld } from "../time/process-world.ts";

export interface ProcessDatabaseOptions {
  /** the server, which all processes share */
  readonly store: ProcessStore;
  readonly world: ProcessWorld;
  readonly link: ServerLink;
  /** carries announcements of what is committed */
  readonly announce: (subject: string) => void;
  /** asked of each statement; undefined lets it run and be answered */
  readonly fate: NonNullable<MemoryProcess["fate"]>;
}

/** Whether the outcome of a change is unknown where its question or its answer was lost. */
type IsUnknown = (lost: LostOnTheWay) => boolean;

/** A process's connections to a database that many processes share: each statement takes its time, and none is answered after its death. */
export const openProcessDatabase = (options: ProcessDatabaseOptions): Database => {
  const { store, world, link, announce, fate } = options;
  const server = store.connect({ freshId: world.freshId, announce, fate });
  world.onDeath(() => void server.die());
  const ask = <T>(what: string, question: () => Promise<T>, isUnknown: IsUnknown = () => false): Promise<T> =>
    link.ask(what, question).catch((error: unknown) => {
      if (!(error instanceof LostOnTheWay)) throw error;
      throw new Outage("database", error, isUnknown(error) ? "OutcomeUnknown" : "ServiceUnavailable");
    });
  const connectionOf = (inner: Connection): Connection => ({
    freshId: inner.freshId,
    announce: inner.announce,
    rows: (schema, text, values) => ask(text, () => inner.rows(schema, text, values)),
    listed: (schema, text, values) => ask(text, () => inner.listed(schema, text, values)),
    execute: (text, values) => ask(text, () => inner.execute(text, values)),
  });
  return {
    ...connectionOf(server),
    transaction: (work) =>
      ask(
        "transaction",
        () => server.transaction((inner) => link.run(() => work(connectionOf(inner)))),
        ({ mayBeDone }) => mayBeDone,
      ),
    commit: (schema, text, values) =>
      ask(
        text,
        () => server.commit(schema, text, values),
        // the client cannot know that the statement was lost on its way there
        () => true,
      ),
    session: () => Promise.reject(new Error("no part of a simulated process has a session")),
    exclusively: (lock, work) =>
      ask(lock, () => server.exclusively(lock, (lost) => link.run(() => work(lost)))),
    listen: (channel, onNotify) => server.listen(channel, () => link.hearAlways(onNotify)),
    close: async () => undefined,
  };
};
