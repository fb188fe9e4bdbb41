import type { RunningLedger } from "../http/running-ledger.ts";

/**
 * Performs an action of a ledger's admin endpoint.
 * @returns its answer
 * @throws with its message when it refuses
 */
export const commandLedger = async (
  { adminUrl }: Pick<RunningLedger, "adminUrl">,
  action: string,
  input: object = {},
): Promise<Readonly<Record<string, unknown>>> => {
  const answer = await fetch(`${adminUrl}/${action}`, {
    method: "POST",
    // the ledger may close a kept-alive connection just when it is used again
    headers: { "content-type": "application/json", connection: "close" },
    body: JSON.stringify(input),
  });
  const body = Object(await answer.json());
  if (!answer.ok) throw new Error(`${action}: ${answer.status} ${JSON.stringify(body)}`);
  return body;
};
