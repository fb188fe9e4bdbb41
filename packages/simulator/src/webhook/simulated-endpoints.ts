import type { Chance } from "@conclave/chaos";
import type { World } from "@conclave/custody";
import type { Sender } from "@conclave/platform";
import { openMemoryEndpoints } from "@conclave/platform/testing";

/** The share of attempts that an endpoint does not accept, until it is healed. */
const REFUSED_SHARE = 0.1;
const REFUSALS = [500, "closed", "silent"] as const;

/** An attempt that reached an endpoint. */
export interface HeardAttempt {
  /** the value of its signature header */
  readonly signature: string;
  readonly body: string;
  readonly isAccepted: boolean;
}

/** Endpoints of the clients of a world: some attempts they refuse, or never answer, as the seed draws. */
export interface SimulatedEndpoints {
  readonly send: Sender;
  readonly open: (url: string) => void;
  /** All attempts that reached an endpoint, in order. */
  readonly heardAt: (url: string) => readonly HeardAttempt[];
  /** From now on each attempt is accepted. */
  readonly heal: () => void;
}

/** @param world of the endpoints */
export const openSimulatedEndpoints = (world: Pick<World, "sleep">, chance: Chance): SimulatedEndpoints => {
  const endpoints = openMemoryEndpoints(world);
  const opened = new Map<string, () => readonly HeardAttempt[]>();
  let isHealed = false;
  return {
    send: endpoints.send,
    open: (url) => {
      const accepted: boolean[] = [];
      const heard = endpoints.open(url, () => {
        const isAccepted = isHealed || chance.share() >= REFUSED_SHARE;
        accepted.push(isAccepted);
        return isAccepted ? 200 : chance.of(REFUSALS);
      });
      opened.set(url, () =>
        heard.map((delivery, at) => ({ ...delivery, isAccepted: accepted[at] === true })),
      );
    },
    heardAt: (url) => opened.get(url)?.() ?? [],
    heal: () => {
      isHealed = true;
    },
  };
};
