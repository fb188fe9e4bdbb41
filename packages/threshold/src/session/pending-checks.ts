import type { PeerCheck } from "./round.ts";
import type { Session } from "./session.ts";

/** The checks whose results a stopped session waits for (config.checks); empty while it waits for messages. */
export const pendingChecks = ({ waiting }: Session<unknown>): readonly PeerCheck[] =>
  waiting?.examination?.checks ?? [];
