import type { Result } from "@conclave/custody";
import type { SignerStatus } from "@conclave/platform";
import { waitUntil } from "@conclave/testbed";

const DEADLINE_MS = 60_000;
const POLL_MS = 5;

export interface SigningAt {
  readonly id: string;
  /** hex */
  readonly session: string;
}

/** A signer whose sessions are polled. */
export interface AskedSigner {
  readonly id: string;
  readonly client: { getStatus(): Promise<Result<Pick<SignerStatus, "sessions">>> };
}

/** The signing sessions of a signer; none if it does not answer. */
const signingAt = async ({ id, client }: AskedSigner): Promise<readonly SigningAt[]> => {
  const answer = await client.getStatus();
  if (!answer.ok) return [];
  return answer.value.sessions
    .filter(({ protocol }) => /sign/i.test(protocol))
    .map(({ session }) => ({ id, session: Buffer.from(session).toString("hex") }));
};

/**
 * The first session that matches `isIt` at any of the signers. Each signer is polled on its own: where signers outnumber
 * the cores, one always answers late, and polling all together would measure that one. Rejects after a minute.
 */
export const firstSession = async (
  signers: readonly AskedSigner[],
  what: string,
  isIt: (at: SigningAt) => boolean,
): Promise<SigningAt> => {
  const over = new AbortController();
  const options = { what, deadlineMs: DEADLINE_MS, pollMs: POLL_MS, signal: over.signal };
  try {
    return await Promise.any(
      signers.map((signer) => waitUntil(async () => (await signingAt(signer)).find(isIt), options)),
    );
  } finally {
    over.abort();
  }
};
