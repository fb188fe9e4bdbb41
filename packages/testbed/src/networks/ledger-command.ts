import { z } from "zod";
import { LaunchError } from "../launch-error.ts";

/** Timeout of a faucet payment, and of many blocks. */
const COMMAND_MS = 60_000;

const refusalSchema = z.object({ message: z.string() });

/**
 * Has a simulated ledger carry out an action of its admin endpoint. @returns its answer
 * @throws LaunchError with the ledger's words when it refuses
 */
export const commandLedger = async (adminUrl: string, action: string, input: object): Promise<unknown> => {
  const answer = await fetch(`${adminUrl}/${action}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(COMMAND_MS),
  });
  const said: unknown = await answer.json().catch(() => undefined);
  if (answer.ok) return said;
  const refusal = refusalSchema.safeParse(said);
  const words = refusal.success ? refusal.data.message : `HTTP ${answer.status}`;
  throw new LaunchError(`the ledger refuses to ${action}: ${words}`, "Check what the command names.");
};
