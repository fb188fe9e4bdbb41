import type { World } from "@conclave/custody";
import { FairTurns, type TurnLimits } from "@conclave/platform";
import type { DueLook, EndedLook } from "./turns.ts";

/**
 * Limits of concurrent looks at the requests of one network; a look mostly waits for the node. One organisation, whose
 * tokens may all be slow, gets at most a quarter of the places; seven slow organisations leave one place to the next.
 * `dueOf` limits how many wait; a look that waits too long is dropped, and decided again.
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

/** The looks at the requests of one network. They run beside its rounds, so a slow look delays no round. */
export interface Looking {
  /** ids of the requests that are being looked at, or wait for it */
  inHand(): ReadonlySet<string>;
  /** Begins looks at requests that are not in hand, in the order of turns of their organisations. */
  begin(due: readonly DueLook[]): void;
  /** @returns the looks that have ended since the last call, in order */
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
