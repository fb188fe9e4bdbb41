import type { SessionKey } from "@conclave/cluster";
import type { Engine } from "@conclave/cluster/testing";
import type { World } from "@conclave/custody";
import type { ComputeHost, ComputeListener } from "../../assembly/parts.ts";

/** A task takes no time of the world but this. */
const COMPUTE_MS = 1;

/**
 * A compute host without threads: a task is computed as it is submitted, and its result handed over later, in order.
 *
 * @param engine that computes: real cryptography or a stand-in
 */
export const inlineCompute = (
  world: Pick<World, "after">,
  engine: Engine,
  { computed }: Pick<ComputeListener, "computed">,
): ComputeHost => {
  const sessions = new Set<SessionKey>();
  let isClosed = false;
  return {
    submit: (session, task) => {
      if (isClosed) return;
      sessions.add(session);
      const result = engine.compute(session, task);
      world.after(COMPUTE_MS, () => {
        if (!isClosed && sessions.has(session)) computed(session, result);
      });
    },
    drop: (session) => {
      if (sessions.delete(session)) engine.drop(session);
    },
    prepare: () => undefined, // there is no idle time
    close: async () => {
      isClosed = true;
    },
  };
};
