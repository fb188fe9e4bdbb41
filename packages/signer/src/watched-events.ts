import { LIFE_BYTES, type SignerEvent } from "@conclave/cluster";
import type { World } from "@conclave/custody";
import type { LifeWatch } from "@conclave/platform/life";

/**
 * Has every event come after a look: the first one in another life finds no nonce of the life before.
 * @param doubted hears why, ahead of the event
 */
export const watched =
  (
    world: Pick<World, "entropy">,
    watch: Pick<LifeWatch, "look">,
    dispatch: (event: SignerEvent) => void,
    doubted: (why: string) => void,
  ) =>
  (event: SignerEvent): void => {
    const doubt = watch.look(event.kind === "begin" || event.kind === "tick" ? "whole" : "fast");
    if (doubt !== undefined) {
      doubted(doubt);
      dispatch({ kind: "resumed", life: world.entropy(LIFE_BYTES) });
    }
    dispatch(event);
  };
