import type { RunningLedger } from "../http/running-ledger.ts";

/**
 * POSTs to a ledger's admin endpoint.
 * @returns its answer
 * @throws with its words when it refuses
 */
export const commandLedger = async (
  { adminUrl }: Pick<RunningLedger, "adminUrl">,
  action: string,
  input: object = {},
): Promise<Readonly<Record<string, unknown>>> => {
  const answer = await fetch(`${adminUrl}/${action}`, {
    method: "POST",
    // a connection that is kept may be closed by the ledger just as it is used again
    headers: { "content-type": "application/json", connection: "close" },
    body: JSON.stringify(input),
  });
  const body = Object(await answer.json());
  if (!answer.ok) throw new Error(`${action}: ${answer.status} ${JSON.stringify(body)}`);
  return body;
};
