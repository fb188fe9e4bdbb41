import type { NodeSurroundings } from "@conclave/chains/node";
import type { MemoryBitcoind } from "@conclave/ledgers/bitcoin";
import { z } from "zod";
import { LostOnTheWay, type ServerLink } from "../../link/server-link.ts";
import type { ProcessWorld } from "../../time/process-world.ts";

const callSchema = z.object({ method: z.string() });

/** Nothing aborts a call: its link gives it up once its client would. */
const NEVER = new AbortController().signal;

/**
 * The surroundings in which one life of a process reaches a node: its calls take their ways, and their time is the process's. Readings give
 * nobody else a turn, because real time would say when.
 */
export const fetchOver = (
  link: ServerLink,
  { monotonicMs }: Pick<ProcessWorld, "monotonicMs">,
  answer: MemoryBitcoind["answer"],
): NodeSurroundings => ({
  monotonicMs,
  timeout: () => NEVER,
  turns: { nowMs: () => 0, others: async () => undefined },
  fetch: async (_, init) => {
    const body = String(init?.body);
    const { method } = callSchema.parse(JSON.parse(body));
    try {
      const { text, status } = await link.ask(method, async () => answer(body));
      return new Response(text, { status });
    } catch (error) {
      if (!(error instanceof LostOnTheWay)) throw error;
      throw new DOMException(error.message, "TimeoutError");
    }
  },
});
