import { vi } from "vitest";

/** A transfer of Solana is final after 32 slots: 13 seconds, and several times as long where other work keeps the ledger waiting. */
const DEADLINE_MS = 90_000;
/** Chains make a block a second: reading more often costs more than it tells. */
export const POLL_MS = 250;
const ENDS = ["Confirmed", "Failed", "Rejected"];

interface Standing {
  readonly status: string;
  readonly reason?: string | undefined;
}

/** Reads something again until it is as wanted; fails when it has ended otherwise, or after 90 seconds. */
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
