import type { World } from "@conclave/custody";
import { FairTurns, type TurnLimits } from "@conclave/platform";
import type { DueLook, EndedLook } from "./turns.ts";

/**
 * How many looks at the requests of one network are under way: each waits for the node more than it works. One organisation, whose tokens
 * may all be slow, has a quarter of the places, and seven of that kind leave one to the next. `dueOf` bounds how many are in line; one
 * that waits for so long leaves it, and is decided on anew.
 */
const PLACES: TurnLimits = {
  atOnce: 16,
  atOnceOfOne: 4,
  waiting: 4_096,
  waitingOfOne: 512,
  waitMs: 60_000,
};

export interface LookingParts {
  readonly world: World;
  /** looks at one request; never throws */
  readonly look: (due: DueLook) => Promise<void>;
}

/** The looks at the requests of one network, beside its rounds: a look that takes long keeps no round waiting. */
export interface Looking {
  /** ids of the requests that are being looked at, or are in line for it */
  inHand(): ReadonlySet<string>;
  /** Begins looks at requests that are not in hand, each in its organisation's turn. */
  begin(due: readonly DueLook[]): void;
  /** @returns the looks that have ended since the last time, in their order */
  takeEnded(): readonly EndedLook[];
  /** Waits until no request is in hand. */
  looked(): Promise<void>;
  /** Begins no more looks, and waits for those under way. */
  stop(): Promise<void>;
}

export const openLooking = ({ world, look }: LookingParts): Looking => {
  const turns = new FairTurns(world, PLACES);
  const inHand = new Map<string, Promise<void>>();
  let ended: EndedLook[] = [];
  let isStopping = false;
  const lookInTurn = async (due: DueLook): Promise<void> => {
    const turn = await turns.take(due.orgId, due.isFirst);
    if ("refused" in turn) return;
    if (!isStopping) {
      await look(due);
      ended.push({ id: due.id, cause: due.cause, endedMs: world.monotonicMs() });
    }
    turn.end();
  };
  const looked = async (): Promise<void> => {
    await Promise.all(inHand.values());
  };
  return {
    inHand: () => new Set(inHand.keys()),
    begin: (due) => {
      for (const one of due) {
        const turn = lookInTurn(one).finally(() => inHand.delete(one.id));
        inHand.set(one.id, turn);
      }
    },
    takeEnded: () => {
      const taken = ended;
      ended = [];
      return taken;
    },
    looked,
    stop: () => {
      isStopping = true;
      return looked();
    },
  };
};
