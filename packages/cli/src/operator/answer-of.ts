import { setTimeout as delay } from "node:timers/promises";
import type { Result } from "@conclave/custody";
import { LaunchError } from "@conclave/testbed/launch";

/** How long a signer is asked again that is busy, or whose connection has just broken. */
const ASKED_AGAIN_MS = 10_000;
const PAUSE_MS = 250;

/**
 * A signer's answer to a read, repeated while the signer is unavailable.
 * @param id of the signer, for the message
 * @param ask sends the question
 * @throws LaunchError when the signer refuses, or has not answered for ten seconds
 */
export const answerOf = async <Value>(id: string, ask: () => Promise<Result<Value>>): Promise<Value> => {
  const untilMs = performance.now() + ASKED_AGAIN_MS;
  for (;;) {
    const answer = await ask();
    if (answer.ok) return answer.value;
    const { code, message } = answer.problem;
    if (code !== "ServiceUnavailable" || performance.now() >= untilMs) {
      throw new LaunchError(`${id}: ${message}`, "Start it and try again.");
    }
    await delay(PAUSE_MS);
  }
};
