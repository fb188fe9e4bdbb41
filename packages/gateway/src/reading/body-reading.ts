import type { OrganisationId } from "@conclave/custody";
import type { FairTurns } from "@conclave/platform";
import { inTurn } from "../admission/in-turn.ts";
import type { BodyReader } from "./body-reader.ts";

/** The functions of `BodyReader` with promises, as another thread may carry them out. */
export type LaterReader = {
  readonly [Name in keyof BodyReader]: (
    ...asked: Parameters<BodyReader[Name]>
  ) => Promise<ReturnType<BodyReader[Name]>>;
};

/** Reads bodies: short ones in this thread, long ones elsewhere. */
export interface BodyReading {
  /** Reads in the organisation's turn. The readers throw Refused when the organisation waits too long. */
  readonly onBehalfOf: (orgId: OrganisationId) => LaterReader;
  /**
   * Reads without a turn, after the one body that is being read: for work that holds rights or a row, or has no
   * organisation.
   */
  readonly withoutTurn: LaterReader;
}

/**
 * Characters of JSON that the main thread reads itself: a transfer, a permit, a transaction of a few inputs. The
 * costliest text of this length takes some milliseconds.
 */
const SHORT_MAX = 1_536;

const isShort = (asked: unknown): boolean => JSON.stringify(asked).length <= SHORT_MAX;

/** Reads everything at once, in the calling thread. */
export const readingHere = (reader: BodyReader): LaterReader => ({
  signature: async (...asked) => reader.signature(...asked),
  networkOf: async (...asked) => reader.networkOf(...asked),
  transaction: async (...asked) => reader.transaction(...asked),
  act: async (...asked) => reader.act(...asked),
});

/**
 * Reads short bodies here, and has long ones read elsewhere, so that they do not block the main thread.
 * @param turns of organisations at the other reader
 */
export const shareReading = (here: BodyReader, elsewhere: LaterReader, turns: FairTurns): BodyReading => {
  const sharedBy = (inOrder: <T>(read: () => Promise<T>) => Promise<T>): LaterReader => {
    const shared =
      <Asked extends readonly unknown[], Read>(
        short: (...asked: Asked) => Read,
        long: (...asked: Asked) => Promise<Read>,
      ) =>
      async (...asked: Asked): Promise<Read> =>
        isShort(asked) ? short(...asked) : inOrder(() => long(...asked));
    return {
      signature: shared(here.signature, elsewhere.signature),
      networkOf: shared(here.networkOf, elsewhere.networkOf),
      transaction: shared(here.transaction, elsewhere.transaction),
      act: shared(here.act, elsewhere.act),
    };
  };
  return {
    onBehalfOf: (orgId) => sharedBy((read) => inTurn(turns, orgId, read)),
    withoutTurn: sharedBy((read) => read()),
  };
};
