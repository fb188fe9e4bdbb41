import type { Chance } from "@conclave/chaos";
import type { ProcessWorld } from "../time/process-world.ts";
import { microseconds, type Scheduler } from "../time/scheduler.ts";
import type { TroubledWay } from "./troubled-ways.ts";

/** Some bytes of a question, and of an answer, on a slow way. */
const MESSAGE_BYTES = 500;
const MS_PER_SECOND = 1_000;

/** A question or its answer was lost on the way. */
export class LostOnTheWay extends Error {
  override readonly name = "LostOnTheWay";
  /** whether the server may have done what it was asked */
  readonly mayBeDone: boolean;

  constructor(server: string, mayBeDone: boolean) {
    super(`nothing is heard of ${server}`);
    this.mayBeDone = mayBeDone;
  }
}

/** The link of one life of a process to a server. */
export interface ServerLink {
  /**
   * Carries a question to the server and its answer back, each some time later. A question that has left arrives also where its process
   * dies meanwhile; no answer reaches a dead process. Rejects with LostOnTheWay where a fault of the link loses either.
   * @param what names the question in the trace
   */
  readonly ask: <T>(what: string, question: () => Promise<T>) => Promise<T>;
  /** Runs a part of a transaction in the process, while the server keeps the transaction open. Rejects with LostOnTheWay where a fault of the link loses it. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  /** Carries a message that wants no answer. */
  readonly send: (message: () => void) => void;
  /** Carries a message of the server to the process. */
  readonly hear: (heard: () => void) => void;
  /** As `hear`; a message that a cut holds up arrives when the cut ends, because a client that reconnects reads anew. */
  readonly hearAlways: (heard: () => void) => void;
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
  /** after which a client gives an answer up, milliseconds */
  readonly patienceMs: number;
  /** to the server */
  readonly there: TroubledWay;
  /** from it */
  readonly back: TroubledWay;
}

/** Opens a link. Messages may overtake one another. */
export const openServerLink = (options: ServerLinkOptions): ServerLink => {
  const { scheduler, world, server, there, back } = options;
  const way = wayTimes(options);
  const hear = (heard: () => void): void => {
    if (way.lossUs(back) === undefined) world.plan(way.us(back), heard);
  };
  return {
    ask: (what, question) => askOver(options, way, what, question),
    run: (work) => runOver(options, way, work),
    send: (message) => {
      if (way.lossUs(there) === undefined) scheduler.plan(server, way.us(there), message);
    },
    hear,
    hearAlways: (heard) => {
      if (back.isCut) back.onceMended(() => world.plan(way.us(back), heard));
      else world.plan(way.us(back), heard);
    },
  };
};

/** The times of messages. */
interface WayTimes {
  /** how long a message takes, microseconds */
  readonly us: (troubled: TroubledWay) => number;
  /** when the loss of a message is noticed: at once where its connection breaks under it; undefined where it passes */
  readonly lossUs: (troubled: TroubledWay) => number | undefined;
}

const wayTimes = ({ chance, longestMs, patienceMs }: ServerLinkOptions): WayTimes => {
  const us = ({ bytesPerSecond, delayMs }: TroubledWay): number => {
    const sendingMs = (MESSAGE_BYTES / bytesPerSecond) * MS_PER_SECOND;
    return chance.between(1, microseconds(longestMs)) + microseconds(delayMs + sendingMs);
  };
  const lossUs = (troubled: TroubledWay): number | undefined => {
    if (troubled.isCut) return microseconds(patienceMs);
    return troubled.breaks() ? us(troubled) : undefined;
  };
  return { us, lossUs };
};

const askOver = <T>(
  { scheduler, world, server, asked, there, back }: ServerLinkOptions,
  way: WayTimes,
  what: string,
  question: () => Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const lose = (afterUs: number, mayBeDone: boolean): void =>
      void world.plan(afterUs, () => reject(new LostOnTheWay(server, mayBeDone)));
    const answered = (settle: () => void): void => {
      const lostUs = way.lossUs(back);
      if (lostUs === undefined) world.plan(way.us(back), settle);
      else lose(lostUs, true);
    };
    scheduler.plan(server, way.us(there), () => {
      const lostUs = way.lossUs(there);
      if (lostUs !== undefined) {
        lose(lostUs, false);
        return;
      }
      asked(what);
      question().then(
        (answer) => answered(() => resolve(answer)),
        (error: unknown) => answered(() => reject(error)),
      );
    });
  });

const runOver = <T>(
  { scheduler, world, server, there, back }: ServerLinkOptions,
  way: WayTimes,
  work: () => Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const lose = (mayBeDone: boolean): void => reject(new LostOnTheWay(server, mayBeDone));
    const done = (settle: () => void): void => {
      const isLost = way.lossUs(there) !== undefined;
      scheduler.plan(server, way.us(there), isLost ? () => lose(true) : settle);
    };
    if (way.lossUs(back) !== undefined) {
      lose(false);
      return;
    }
    world.plan(way.us(back), () => {
      work().then(
        (result) => done(() => resolve(result)),
        (error: unknown) => done(() => reject(error)),
      );
    });
  });
