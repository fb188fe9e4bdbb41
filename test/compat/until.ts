import { vi } from "vitest";
import { z } from "zod";

/** A Solana transfer is final after 32 slots, 13 seconds; several times as long if other work delays the ledger. */
const DEADLINE_MS = 90_000;
/** Chains make a block per second; polling more often would cost more than it gains. */
export const POLL_MS = 250;
/** A busy signer answers again within seconds; a presence that goes and comes again for longer is a fault. */
const SERVED_MS = 20_000;
const ENDS = ["Confirmed", "Failed", "Rejected"];

interface Standing {
  readonly status: string;
  readonly reason?: string | undefined;
}

/** Reads a resource until it has this status; fails if it ends in another one, or after 90 seconds. */
export const until = async <Item extends Standing>(
  status: string,
  read: () => Promise<Item>,
): Promise<Item> => {
  const item = await vi.waitFor(
    async () => {
      const current = await read();
      if (current.status === status || ENDS.includes(current.status)) return current;
      throw new Error(`it stays ${current.status}: ${current.reason ?? "no reason given"}`);
    },
    { timeout: DEADLINE_MS, interval: POLL_MS },
  );
  if (item.status !== status) throw new Error(`it ended ${item.status}: ${item.reason ?? "no reason given"}`);
  return item;
};

const signersUnavailableSchema = z.object({
  context: z.object({
    body: z.object({ error: z.object({ details: z.object({ code: z.literal("SignersUnavailable") }) }) }),
  }),
});

/** Sends an operation that needs each signer again while one is away, for 20 seconds at most. */
export const untilServed = async (send: () => Promise<unknown>): Promise<unknown> => {
  const outcome = await vi.waitFor(
    async () => {
      try {
        return { answer: await send() };
      } catch (refusal) {
        if (signersUnavailableSchema.safeParse(refusal).success) throw refusal;
        return { refusal };
      }
    },
    { timeout: SERVED_MS, interval: POLL_MS },
  );
  if ("refusal" in outcome) throw outcome.refusal;
  return outcome.answer;
};
