import type { Chance } from "@conclave/chaos";
import type { ProcessWorld } from "../time/process-world.ts";
import { microseconds, type Scheduler } from "../time/scheduler.ts";

/** The link of one life of a process to a server. */
export interface ServerLink {
  /**
   * Carries a question to the server and its answer back, each some time later. A question that has left arrives also where its process
   * dies meanwhile; no answer reaches a dead process.
   * @param what names the question in the trace
   */
  readonly ask: <T>(what: string, question: () => Promise<T>) => Promise<T>;
  /** Has the process do something that the server waits for. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  /** Carries a message that wants no answer. */
  readonly send: (message: () => void) => void;
  /** Carries a message of the server to the process. */
  readonly hear: (heard: () => void) => void;
}

export interface ServerLinkOptions {
  readonly scheduler: Scheduler;
  /** of the process */
  readonly world: ProcessWorld;
  /** the name of the server in the schedule */
  readonly server: string;
  /** hears each question that arrives */
  readonly asked: (what: string) => void;
  readonly chance: Chance;
  /** the longest way of a message in one direction, milliseconds */
  readonly longestMs: number;
}

/** Opens a link. Messages may overtake one another. */
export const openServerLink = ({
  scheduler,
  world,
  server,
  asked,
  chance,
  longestMs,
}: ServerLinkOptions): ServerLink => {
  const way = (): number => chance.between(1, microseconds(longestMs));
  return {
    ask: (what, question) =>
      new Promise((resolve, reject) => {
        scheduler.plan(server, way(), () => {
          asked(what);
          question().then(
            (answer) => world.plan(way(), () => resolve(answer)),
            (error: unknown) => world.plan(way(), () => reject(error)),
          );
        });
      }),
    run: (work) =>
      new Promise((resolve, reject) => {
        world.plan(way(), () => {
          work().then(
            (result) => scheduler.plan(server, way(), () => resolve(result)),
            (error: unknown) => scheduler.plan(server, way(), () => reject(error)),
          );
        });
      }),
    send: (message) => void scheduler.plan(server, way(), message),
    hear: (heard) => void world.plan(way(), heard),
  };
};
