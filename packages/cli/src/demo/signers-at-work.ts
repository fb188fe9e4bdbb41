import { type Cluster, waitUntil } from "@conclave/testbed";

const DEADLINE_MS = 60_000;
const POLL_MS = 20;

export interface SignerAtWork {
  readonly id: string;
  readonly stage: string;
}

/** Waits until some signers are in a signing session. @returns these signers, with the stage of each */
export const signersAtWork = (cluster: Pick<Cluster, "signers">): Promise<readonly SignerAtWork[]> =>
  waitUntil(
    async () => {
      const busy = (await cluster.signers()).flatMap(({ id, live, status }) => {
        const session = live ? status?.sessions.find(({ protocol }) => /sign/i.test(protocol)) : undefined;
        return session === undefined ? [] : [{ id, stage: session.stage }];
      });
      return busy.length > 0 ? busy : undefined;
    },
    { what: "signers to begin signing", deadlineMs: DEADLINE_MS, pollMs: POLL_MS },
  );
