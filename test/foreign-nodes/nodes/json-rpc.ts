import { z } from "zod";

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).nullish(),
});

/** Makes a JSON-RPC call to a node. @throws Error with the node's own words when it refuses */
export const askJsonRpc = async (
  url: string,
  method: string,
  params: readonly unknown[] = [],
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> => {
  const answered = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const text = await answered.text();
  if (text === "") throw new Error(`${method}: HTTP ${answered.status}`);
  const { result, error } = answerSchema.parse(JSON.parse(text));
  if (error !== null && error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
};
