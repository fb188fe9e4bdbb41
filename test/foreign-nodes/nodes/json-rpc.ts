import { z } from "zod";

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).nullish(),
});

/** Asks a node one thing by JSON-RPC. @throws Error in the node's own words where it refuses */
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
