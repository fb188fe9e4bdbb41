import type { OrganisationId } from "@conclave/custody";
import type { FairTurns } from "@conclave/platform";
import { inTurn } from "../admission/in-turn.ts";
import type { BodyReader } from "./body-reader.ts";

/** The same functions, answered later: by this thread, or by one beside it. */
export type LaterReader = {
  readonly [Name in keyof BodyReader]: (
    ...asked: Parameters<BodyReader[Name]>
  ) => Promise<ReturnType<BodyReader[Name]>>;
};

/** Reads bodies: short ones here, long ones elsewhere. */
export interface BodyReading {
  /** In the organisation's turn. Its readers throw Refused when an organisation waits too long for that. */
  readonly onBehalfOf: (orgId: OrganisationId) => LaterReader;
  /** Behind the one body that is read now, without a turn: for work that holds rights or a row, and for nobody in particular. */
  readonly withoutTurn: LaterReader;
}

/**
 * Characters of JSON that the main thread reads by itself: a transfer, a permit, a transaction of a few inputs. The costliest text of this length
 * takes it some milliseconds.
 */
const SHORT_MAX = 1_536;

const isShort = (asked: unknown): boolean => JSON.stringify(asked).length <= SHORT_MAX;

/** Reads everything at once, in the thread that asks. */
export const readingHere = (reader: BodyReader): LaterReader => ({
  signature: async (...asked) => reader.signature(...asked),
  networkOf: async (...asked) => reader.networkOf(...asked),
  transaction: async (...asked) => reader.transaction(...asked),
  act: async (...asked) => reader.act(...asked),
});

/**
 * Reads short bodies here, and has long ones read elsewhere, so that nobody waits for the main thread while it reads one.
 * @param turns of organisations at the reader elsewhere
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
